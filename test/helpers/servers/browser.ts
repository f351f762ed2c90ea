import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { type BrowserContext, chromium } from 'playwright-core'
import { argv } from '../runs/argv.ts'

/** The browser of this machine: chromium or Chrome on the PATH, or what `BENCH_CHROMIUM` names. */
function browserPath(): string {
  const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
  const places = (process.env.PATH ?? '')
    .split(delimiter)
    .flatMap((path) => names.map((name) => join(path, name)))
  const found = [process.env.BENCH_CHROMIUM, ...places].find((path) => path && existsSync(path))
  if (!found) throw new Error('no chromium: apt install chromium, or set BENCH_CHROMIUM to one')
  return found
}

/** Starts a browser with a profile of its own in a folder. */
export const startBrowser = (profile: string): Promise<BrowserContext> =>
  chromium.launchPersistentContext(profile, {
    executablePath: browserPath(),
    headless: true,
    args: argv`--headless --no-sandbox --disable-gpu --disable-quic --no-first-run
      --disable-background-networking --disable-component-update --disable-sync`,
  })
