// Starts Debian's Chromium without a window.
import { chromium } from 'playwright-core';

/** Returns the browser. Close it after the tests. */
export const launchChromium = () =>
  chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  });
