// Reports test results to the harness under a secret token. All builtins are stored before the solution runs, so later replacements
// have no effect. They are constants, since imported bindings can be changed by `syncBuiltinESMExports`.
const fs = process.getBuiltinModule('node:fs')

const { writeSync } = fs
const { stringify } = JSON
const { from: toBytes } = Buffer
const rest = Function.prototype.call.bind(Buffer.prototype.subarray)
const leave = process.reallyExit.bind(process)
const cwd = process.cwd()
/** Standard error: standard output may be the channel. */
const descriptor = 2
const maxEscaped = 10

/** `progress` is the token of progress lines. */
export function createReport({ token, progress }) {
  let report = ''
  let escaped = 0
  let done = false
  /** The folder in which the solution runs: this one, or that of the other process. */
  let solutionFolder = cwd

  function add(kind, name, message) {
    if (kind === 'escaped' && ++escaped > maxEscaped) return
    report += `${kind}\t${stringify(`${name}`)}\t${stringify(message)}\n`
  }

  /** Ends the process immediately, without waiting for timers, servers and exit handlers of the solution. */
  function finish(end) {
    if (done) return
    done = true
    write(`\n${token}\n${report}${end}\n${token} end\n`)
    leave(0)
  }

  return {
    add,
    finish,
    say: (text) => write(`\n${progress} ${text}\n`),
    setSolutionFolder(folder) {
      if (typeof folder === 'string' && folder.length > 3) solutionFolder = folder
    },
    describe: (error) => describe(error, solutionFolder),
  }
}

function write(text) {
  let bytes = toBytes(text)
  while (bytes.length > 0) {
    try {
      bytes = rest(bytes, writeSync(descriptor, bytes))
    } catch (error) {
      if (error.code !== 'EAGAIN') throw error // the reader is slower
    }
  }
}

/** Returns kind, message and position of a thrown value. */
function describe(error, solutionFolder) {
  try {
    if (!(error instanceof Error))
      return `threw ${typeof error === 'string' ? stringify(error) : String(error)}`
    const message = `${error.message}`.replaceAll(solutionFolder, cwd)
    const stack = `${error.stack ?? ''}`.replaceAll(solutionFolder, cwd)
    const text =
      error.code === 'ERR_ASSERTION' || message.startsWith(error.name) ? message : `${error.name}: ${message}`
    const ours = (line) => line.includes(`${cwd}/`) && !line.includes('/.bench/')
    const lines = stack.split('\n')
    // A syntax error has its file in the first line, before the message.
    const place = lines.find(
      (line, at) => ours(line) && (/^\s+at /.test(line) || (at === 0 && line.startsWith('file:'))),
    )
    const position = place?.slice(place.indexOf(`${cwd}/`) + cwd.length + 1).replace(/\)?$/, '')
    const whole = position ? `${text.trimEnd()} (${position})` : text
    return whole.length > 2000 ? `${whole.slice(0, 2000)}…` : whole
  } catch {
    return 'threw something that cannot be read'
  }
}
