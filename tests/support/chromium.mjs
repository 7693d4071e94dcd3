// Starts Chromium's headless shell: the engine without the windows of the browser, which take a third of its time.
import { chromium } from 'playwright-core';

/** Returns the browser. Close it after the tests. */
export const launchChromium = () =>
  chromium.launch({
    executablePath: '/usr/bin/chromium-headless-shell',
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      // Without it, an access outside the memory of WebAssembly ends the page instead of throwing.
      '--enable-crash-reporter',
    ],
  });
