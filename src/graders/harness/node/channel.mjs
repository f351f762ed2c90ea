// Lines of text to and from the other process. Reads and writes block: only one of the two processes works at a time, as if they
// were one.
// Built-in modules come from `getBuiltinModule`: importing one would load all of its exports.
const { closeSync, fstatSync, openSync, readSync, writeSync } = process.getBuiltinModule('node:fs')

const longestLine = 32 * 1024 * 1024
const pause = new Int32Array(new SharedArrayBuffer(4))

const standard = { input: 0, output: 1 }
/** The descriptors of a program whose standard input is empty; see the sandbox's `peer`. */
const apart = { input: 5, output: 6 }

/**
 * Returns the descriptors of the channel. Afterwards standard input is empty and standard output goes to standard error, unless
 * this system can neither pass other descriptors nor open its own ones again.
 */
export function takeChannel() {
  if (fstatSync(0).isCharacterDevice()) return apart
  let taken
  try {
    taken = { input: openSync('/proc/self/fd/0', 'r'), output: openSync('/proc/self/fd/1', 'w') }
  } catch {
    return standard
  }
  // A new descriptor has the lowest free number.
  closeSync(0)
  openSync('/dev/null', 'r')
  closeSync(1)
  try {
    openSync('/proc/self/fd/2', 'w')
  } catch {
    openSync('/dev/null', 'w')
  }
  return taken
}

/** `read` returns the next line, undefined if the other process has ended. Throws if a line does not end. */
export function createChannel({ input, output } = standard) {
  const chunk = Buffer.alloc(65_536)
  let parts = []
  let length = 0
  const lines = []

  function read() {
    while (lines.length === 0) {
      const size = retrying(readChunk)
      if (size === 0) return undefined
      // The usual case is one whole line, since the sender waits for the answer.
      if (parts.length === 0 && chunk[size - 1] === 10) {
        const line = chunk.toString('utf8', 0, size - 1)
        if (!line.includes('\n')) return line
      }
      take(chunk.subarray(0, size))
    }
    return lines.shift()
  }

  const readChunk = () => readSync(input, chunk, 0, chunk.length, null)

  function take(bytes) {
    let from = 0
    for (let end = bytes.indexOf(10); end !== -1; end = bytes.indexOf(10, from)) {
      parts.push(Buffer.from(bytes.subarray(from, end)))
      lines.push(Buffer.concat(parts).toString())
      parts = []
      length = 0
      from = end + 1
    }
    if (from === bytes.length) return
    parts.push(Buffer.from(bytes.subarray(from)))
    length += bytes.length - from
    if (length > longestLine) throw new Error('sent a line without an end')
  }

  function write(line) {
    const text = `${line}\n`
    const size = retrying(() => writeSync(output, text))
    if (size === 0 || size === Buffer.byteLength(text)) return
    let rest = Buffer.from(text).subarray(size)
    while (rest.length > 0) rest = rest.subarray(retrying(() => writeSync(output, rest)) || rest.length)
  }

  return { read, write }
}

/** Retries a call on a descriptor that does not block. Returns 0 if the other end is closed. */
function retrying(work) {
  for (;;) {
    try {
      return work()
    } catch (error) {
      if (error.code === 'EPIPE' || error.code === 'EOF' || error.code === 'ECONNRESET') return 0
      if (error.code !== 'EAGAIN') throw error
      Atomics.wait(pause, 0, 0, 0.05)
    }
  }
}

/** Sends everything that is printed in this process to standard error: standard output is the channel. */
export function keepChannelClear() {
  Object.defineProperty(process, 'stdout', { configurable: true, get: () => process.stderr })
}
