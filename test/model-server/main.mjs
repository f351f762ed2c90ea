// The model server as a process of its own: node test/model-server/main.mjs --script FILE --log FILE --port N
// Prints {"url"} on one line when it listens. Node 20 cannot run TypeScript, so that it is bundled first, into memory.
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

const build = await rolldown({
  input: fileURLToPath(new URL('main.ts', import.meta.url)),
  platform: 'node',
  logLevel: 'warn',
})
const { output } = await build.generate({ format: 'esm', codeSplitting: false })
await build.close()
await import(`data:text/javascript,${encodeURIComponent(output[0].code)}`)
