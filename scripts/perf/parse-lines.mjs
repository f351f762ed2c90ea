// Reads lines of JSON as one would without a harness: readline and JSON.parse. Arguments: the number of lines, and files.
import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'

const [count, ...files] = process.argv.slice(2)
let lines = 0
for (const file of files)
  for await (const line of createInterface({ input: createReadStream(file) })) {
    JSON.parse(line)
    lines++
  }
if (lines < Number(count)) throw new Error(`only ${lines} lines were read`)
