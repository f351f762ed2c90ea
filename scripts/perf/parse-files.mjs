// The floor of an import: parses each file that is named.
import { readFileSync } from 'node:fs'

for (const path of process.argv.slice(2)) JSON.parse(readFileSync(path, 'utf8'))
