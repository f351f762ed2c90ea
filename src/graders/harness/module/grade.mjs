// Calls the function `grade` of a task's module with what was handed in, and reports what it returns under a secret token. The work
// is data in the job: no file of it is in this folder.
const fs = process.getBuiltinModule('node:fs')
const { pathToFileURL } = process.getBuiltinModule('node:url')
const { stringify } = JSON
const leave = process.reallyExit.bind(process)

const { token, file, typescript, ...given } = JSON.parse(fs.readFileSync(0, 'utf8'))
const say = (message) => {
  let bytes = Buffer.from(`\n${token} ${stringify(message)}\n`)
  while (bytes.length > 0) {
    try {
      bytes = bytes.subarray(fs.writeSync(2, bytes))
    } catch (error) {
      if (error.code !== 'EAGAIN') throw error // the reader is slower
    }
  }
}
const fail = (error) => {
  say({ threw: describe(error) })
  leave(0)
}
process.on('uncaughtException', fail)
process.on('unhandledRejection', fail)
// Nothing is left to do, but the promise of the function is still open.
process.on('beforeExit', () => {
  say({ waits: true })
  leave(0)
})
say({ ready: true })
if (typescript) (await import('../node/loaders.mjs')).acceptTypeScript()
const module = await import(pathToFileURL(file))
const grade = module.grade ?? module.default?.grade ?? module.default
if (typeof grade !== 'function') say({ lacks: 'grade' })
// JSON has no text for these numbers.
else say({ returned: stringify(await grade(given), plain) ?? 'null' })
leave(0)

function plain(_, value) {
  if (typeof value === 'bigint') return `${value}`
  return typeof value === 'number' && !Number.isFinite(value) ? `${value}` : value
}

/** Returns the kind and message of a thrown value, and the first of its places that is in the task's tests. */
function describe(error) {
  if (!(error instanceof Error)) return `${typeof error === 'string' ? stringify(error) : String(error)}`
  const here = `${process.cwd()}/`
  const lines = `${error.stack ?? ''}`.split('\n')
  const line = lines.find((one, at) => one.includes(`${here}tests/`) && (at === 0 || /^\s+at /.test(one)))
  const place = line?.slice(line.indexOf(here) + here.length).replace(/\)?$/, '')
  return `${error.name}: ${error.message}${place ? ` (${place})` : ''}`
}
