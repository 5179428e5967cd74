#include "formats/perfetto/tracks/chrome_names.h"

#include <array>

namespace cinderscope::perfetto {
namespace {

constexpr std::string_view kChromeProcesses[] = {
    "Browser",
    "Renderer",
    "Utility",
    "SandboxHelper",
    "",
    "Gpu",
    "PpapiPlugin",
    "PpapiBroker",
    "Network",
    "Tracing",
    "Storage",
    "Audio",
    "DataDecoder",
    "UtilWin",
    "ProxyResolver",
    "Cdm",
    "VideoCapture",
    "Unzipper",
    "Mirroring",
    "FilePatcher",
    "Tts",
    "Printing",
    "Quarantine",
    "LocalSearch",
    "AssistantAudioDecoder",
    "FileUtil",
    "PrintCompositor",
    "PaintPreview",
    "SpeechRecognition",
    "XRDevice",
    "ReadIcon",
    "LanguageDetection",
    "Sharing",
    "MediaParser",
    "QrCodeGenerator",
    "ProfileImport",
    "Ime",
    "Recording",
    "ShapeDetection",
    "Extension",
    "MediaFoundation",
    "TopWebUi",
};
constexpr std::string_view kChromeThreads[] = {
    "CrProcessMain",
    "ChromeIOThread",
    "ThreadPoolBackgroundWorker",
    "ThreadPoolForegroundWorker",
    "ThreadPoolForegroundBlocking",
    "ThreadPoolBackgroundBlocking",
    "ThreadPoolService",
    "Compositor",
    "VizCompositorThread",
    "CompositorTileWorker",
    "ServiceWorkerThread",
    "NetworkService",
    "Chrome_ChildIOThread",
    "Chrome_IOThread",
    "CrBrowserMain",
    "CrRendererMain",
    "CrUtilityMain",
    "CrGpuMain",
    "CacheThread_BlockFile",
    "Media",
    "AudioOutputDevice",
    "AudioInputDevice",
    "GpuMemoryThread",
    "GpuVSyncThread",
    "DXVAVideoDecoderThread",
    "BrowserWatchdog",
    "WebRTC_Network",
    "WindowOwner",
    "WebRTC_Signaling",
    "WebRTC_Worker",
    "CrPPAPIMain",
    "GpuWatchdog",
    "swapper",
    "GamepadPolling",
    "WebCrypto",
    "Database",
    "ProxyResolver",
    "DevToolsADB",
    "NetworkConfigWatcher",
    "wasapi_render",
    "LoaderLockSampler",
    "VSyncThread",
};

}  // namespace

std::string_view chrome_process_name(std::uint64_t type) {
  return type >= 1 && type <= std::size(kChromeProcesses) ? kChromeProcesses[type - 1] : "";
}

std::string_view chrome_thread_name(std::uint64_t type) {
  if (type >= 1 && type <= std::size(kChromeThreads)) return kChromeThreads[type - 1];
  switch (type) {
    case 50:
      return "MemoryInfra";
    case 51:
      return "StackSamplingProfiler";
    case 52:
      return "CompositorGpuThread";
    default:
      return {};
  }
}

}  // namespace cinderscope::perfetto
