// Keys, pointer, wheel and touch, as the program's calls (app/window/web/page_input.cc).
'use strict';

(() => {
const canvas = Module.canvas;
const held = event => (event.ctrlKey || event.metaKey ? 1 : 0) | (event.shiftKey ? 2 : 0) | (event.altKey ? 4 : 0);

// A key's character, if it is one.
function characterOf(key) {
  const characters = [...key];
  return characters.length === 1 ? characters[0].codePointAt(0) : 0;
}

// A pinch on a touchpad comes as a wheel with Ctrl, which no key said is held.
let controlIsHeld = false;
const isPinch = event => event.ctrlKey && !controlIsHeld;
// Notches of the wheel in which the program zooms by this factor (kZoomPerNotch of render/views/timeline/mouse.cc).
const notchesOf = factor => Math.log(factor) / -Math.log(0.8);

function sendKey(event, down) {
  if (event.key === 'Control') controlIsHeld = down;
  const graphic = event.getModifierState('AltGraph') ? 1 : 0;
  Module.ccall('cinderscope_key', null, ['string', 'number', 'number', 'number', 'number', 'number'],
      [event.code, characterOf(event.key), down ? 1 : 0, event.repeat ? 1 : 0, held(event), graphic]);
}

// What stays the browser's: its tools, full screen, a new load. Ctrl+W, Ctrl+T and Ctrl+Tab no page ever gets.
function isBrowsers(event) {
  const control = event.ctrlKey || event.metaKey;
  return event.key === 'F11' || event.key === 'F12' || event.key === 'F5' || (control && event.code === 'KeyR') ||
      (control && event.shiftKey && event.code === 'KeyI');
}

const isPaste = event => (event.ctrlKey || event.metaKey) && event.code === 'KeyV';

function takeKeys() {
  let pasting = null;
  window.addEventListener('keydown', event => {
    if (isBrowsers(event) || event.isComposing || event.target instanceof HTMLButtonElement) return;
    if (isPaste(event)) {  // the browser sends the text next
      pasting = event;
      return;
    }
    event.preventDefault();
    sendKey(event, true);
  });
  window.addEventListener('paste', event => {
    event.preventDefault();
    Module.ccall('cinderscope_pasted', null, ['string'], [event.clipboardData.getData('text/plain')]);
    if (pasting) sendKey(pasting, true);
    pasting = null;
  });
  window.addEventListener('keyup', event => {
    if (!isBrowsers(event)) sendKey(event, false);
  });
}

function place(event) {
  const box = canvas.getBoundingClientRect();
  return [(event.clientX - box.left) * devicePixelRatio, (event.clientY - box.top) * devicePixelRatio];
}

function takePointer() {
  const move = event => Module._cinderscope_pointer(...place(event), held(event));
  const isMouse = event => event.pointerType !== 'touch';
  canvas.addEventListener('pointermove', event => {
    if (!isMouse(event)) return;
    for (const each of event.getCoalescedEvents?.().slice(-1) || []) move(each);
    move(event);
  });
  canvas.addEventListener('pointerdown', event => {
    if (!isMouse(event)) return;
    canvas.focus();
    canvas.setPointerCapture(event.pointerId);
    move(event);
    Module._cinderscope_button(event.button, 1, held(event));
  });
  canvas.addEventListener('pointerup', event => {
    if (!isMouse(event)) return;
    move(event);
    Module._cinderscope_button(event.button, 0, held(event));
  });
  canvas.addEventListener('pointerleave', event => {
    if (isMouse(event)) Module._cinderscope_pointer_left();
  });
  canvas.addEventListener('contextmenu', event => event.preventDefault());
  canvas.addEventListener('wheel', event => {
    event.preventDefault();
    const notch = [100, 3, 1][event.deltaMode];
    move(event);
    if (isPinch(event)) return Module._cinderscope_wheel(0, notchesOf(Math.exp(-event.deltaY / 100)), 0);
    Module._cinderscope_wheel(-event.deltaX / notch, -event.deltaY / notch, held(event));
  }, {passive: false});
}

// One finger is the left button, a long press the right one; two fingers pan as Ctrl and the wheel do, and zoom as the wheel does.
function takeTouch() {
  const LONG_PRESS_MS = 500, STILL_PX = 8;
  const WIDTH_PER_NOTCH = 0.1, HEIGHT_PER_NOTCH_PX = 57;  // as the program pans and scrolls
  const fingers = new Map();
  let pressed = -1, longPress = 0, before = null, first = [0, 0];
  const release = () => {
    clearTimeout(longPress);
    if (pressed >= 0) Module._cinderscope_button(pressed, 0, 0);
    pressed = -1;
  };
  const both = () => {
    const [a, b] = [...fingers.values()];
    return {x: (a[0] + b[0]) / 2, y: (a[1] + b[1]) / 2, apart: Math.hypot(a[0] - b[0], a[1] - b[1])};
  };
  canvas.addEventListener('pointerdown', event => {
    if (event.pointerType !== 'touch') return;
    canvas.setPointerCapture(event.pointerId);
    fingers.set(event.pointerId, place(event));
    if (fingers.size === 2) {
      release();
      before = both();
    } else if (fingers.size === 1) {
      first = place(event);
      Module._cinderscope_pointer(...first, 0);
      Module._cinderscope_button(0, 1, 0);
      pressed = 0;
      longPress = setTimeout(() => {
        release();
        Module._cinderscope_button(2, 1, 0);
        pressed = 2;
      }, LONG_PRESS_MS);
    }
  });
  canvas.addEventListener('pointermove', event => {
    if (!fingers.has(event.pointerId)) return;
    const at = place(event);
    fingers.set(event.pointerId, at);
    if (fingers.size === 1) {
      if (Math.hypot(at[0] - first[0], at[1] - first[1]) > STILL_PX * devicePixelRatio) clearTimeout(longPress);
      return Module._cinderscope_pointer(...at, 0);
    }
    if (fingers.size !== 2) return;
    const now = both();
    Module._cinderscope_pointer(now.x, now.y, 0);
    Module._cinderscope_wheel((now.x - before.x) / (canvas.width * WIDTH_PER_NOTCH),
        (now.y - before.y) / (HEIGHT_PER_NOTCH_PX * devicePixelRatio), 1);
    if (before.apart > 0 && now.apart > 0) Module._cinderscope_wheel(0, notchesOf(now.apart / before.apart), 0);
    before = now;
  });
  for (const end of ['pointerup', 'pointercancel']) {
    canvas.addEventListener(end, event => {
      if (!fingers.delete(event.pointerId)) return;
      release();
    });
  }
}

function sendSize() {
  const box = canvas.getBoundingClientRect();
  Module._cinderscope_resized(Math.round(box.width * devicePixelRatio), Math.round(box.height * devicePixelRatio),
      devicePixelRatio);
}

Module.takeInput = () => {
  takeKeys();
  takePointer();
  takeTouch();
  window.addEventListener('resize', sendSize);
  window.addEventListener('focus', () => Module._cinderscope_focus(1));
  window.addEventListener('blur', () => {
    controlIsHeld = false;
    Module._cinderscope_focus(0);
  });
  document.addEventListener('visibilitychange', () => Module._cinderscope_hidden(document.hidden ? 1 : 0));
  sendSize();
  canvas.focus();
};

// The program waits until the display has taken a frame.
Module.tellOfFrame = () => requestAnimationFrame(() => Module._cinderscope_frame_shown());

const POINTERS = ['default', 'text', 'pointer', 'ew-resize', 'ns-resize'];
Module.setPointer = shape => { canvas.style.cursor = POINTERS[shape]; };
Module.copyText = text => navigator.clipboard?.writeText(text).catch(error => console.warn('Not copied:', error.message));
})();
