import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { scriptOptions } from '../script-options.mjs'
import { makeSuite } from './suite.mjs'

scriptOptions('npm run separable-suite', {})

// Writes the generated tasks of tasks/separable/ anew. A test compares them with what is there.
const suite = join(dirname(fileURLToPath(import.meta.url)), '../../tasks/separable')
let bytes = 0
for (const { id, folder } of makeSuite()) {
  rmSync(join(suite, id), { recursive: true, force: true })
  for (const [path, text] of Object.entries(folder)) {
    mkdirSync(dirname(join(suite, id, path)), { recursive: true })
    writeFileSync(join(suite, id, path), text)
    bytes += Buffer.byteLength(text)
  }
}
process.stdout.write(`${(bytes / 1e6).toFixed(2)} MB in tasks/separable\n`)
