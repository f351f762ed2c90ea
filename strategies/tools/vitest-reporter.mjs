import { existsSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { textOf } from './find-tools.mjs'

/**
 * Returns what `--reporter` needs for JUnit XML in the file `junit`. A project may give the reporter `junit` options, such as a file of
 * its own, and vitest keeps them; a reporter of another name has none. Versions without the class take the name.
 */
export function junitReporter(junit, vitest) {
  const home = dirname(vitest.at(-1))
  const module = ['node.js', 'reporters.js']
    .map((name) => join(home, 'dist', name))
    .find((path) => existsSync(path) && textOf(path).includes('JUnitReporter'))
  if (module === undefined) return 'junit'
  const path = `${junit}.reporter.mjs`
  writeFileSync(
    path,
    `import { JUnitReporter } from ${JSON.stringify(pathToFileURL(module).href)}
export default class extends JUnitReporter {
  constructor() {
    super({ outputFile: ${JSON.stringify(junit)} })
  }
}
`,
  )
  return path
}
