// Settings, recent files and saved views lie in the home folder of the page's own file system, which the browser keeps.
'use strict';

(() => {
const HOME = '/home/web_user';

// Before the program starts, which waits for it.
Module.readSettings = () => {
  ENV.HOME = HOME;
  FS.mkdir('/downloads');
  FS.mount(IDBFS, {}, HOME);
  addRunDependency('settings');
  FS.syncfs(true, error => {
    if (error) console.warn('Settings cannot be kept by this browser:', error);
    else keepSettings();
    removeRunDependency('settings');
  });
};

// A few small files, which are compared with what was kept.
function keepSettings() {
  let busy = false;
  const keep = () => {
    if (busy) return;
    busy = true;
    FS.syncfs(false, error => {
      busy = false;
      if (error) console.warn('Settings were not kept:', error);
    });
  };
  setInterval(keep, 3000);
  document.addEventListener('visibilitychange', keep);
}
})();
