import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import type { Script } from './script.ts'
import { startModelServer } from './server.ts'

const { values } = parseArgs({
  options: {
    script: { type: 'string' },
    log: { type: 'string' },
    port: { type: 'string', default: '0' },
    'ollama-models': { type: 'string' },
  },
})

const server = await startModelServer(await readScript(values.script), {
  port: Number(values.port),
  // Without a file to write it to, the log of a long run would only fill the memory.
  ...(values.log === undefined ? { keep: false } : { log: values.log }),
  ...(values['ollama-models'] !== undefined && { ollamaModels: values['ollama-models'].split(',') }),
})
process.stdout.write(`${JSON.stringify({ url: server.url })}\n`)
process.on('SIGTERM', () => process.exit(0))

/** A .json file with a list of answers, or a module whose default export is a script. */
async function readScript(path: string | undefined): Promise<Script> {
  if (path === undefined) return [{ text: 'Hello.', always: true }]
  if (path.endsWith('.json')) return JSON.parse(readFileSync(path, 'utf8')) as Script
  const module = (await import(pathToFileURL(resolve(path)).href)) as { default: Script }
  return module.default
}
