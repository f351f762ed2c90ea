// A thread that goes through a file of records ahead of the one that makes sense of them, and does there what needs no sense: it
// reads, finds the lines, sums each up as its seal should, and takes the digest of their data. See line-thread.ts. CommonJS: an
// ES module would start half a tenth of a second later.
const { isUtf8 } = require('node:buffer')
const { createHash } = require('node:crypto')
const { readSync } = require('node:fs')
const { workerData } = require('node:worker_threads')
const { crc32 } = require('node:zlib')

const { fd, control, at, told, slots, digest, blockBytes, sealBytes } = workerData
const newline = 0x0a
const wallKey = Buffer.from(',"wall":')
// How far in front of a byte the key may begin at the least, but for where it begins with that byte.
const steps = new Uint8Array(256).fill(wallKey.length)
for (let place = wallKey.length - 1; place > 0; place--) steps[wallKey[place]] = place
const hash = createHash('sha256')
const batch = Buffer.allocUnsafe(64 * 1024)
let batched = 0
let made = 0

/** Hands over block after block, and then how that ended; or until nobody wants more. */
function readAll() {
  // The beginning of a line that goes on in the next block.
  let rest = Buffer.alloc(0)
  let position = 0
  while (isFree()) {
    const slot = slots[made % slots.length]
    const bytes = Buffer.from(slot.bytes.buffer)
    let held = rest.copy(bytes)
    let last = -1
    while (last < 0) {
      // Of a line that is longer still the other thread takes care.
      if (held + blockBytes > bytes.length) return hand(told.left)
      const read = readSync(fd, bytes, held, blockBytes, position)
      if (read === 0) {
        flush()
        hash.digest().copy(digest)
        return hand(told.ended)
      }
      position += read
      last = bytes.lastIndexOf(newline, held + read - 1)
      if (last < held) last = -1
      held += read
    }
    const count = takeLines(slot, bytes, last)
    slot.isText[0] = isUtf8(bytes.subarray(0, last)) ? 1 : 0
    hand(count)
    if (count === told.left) return
    rest = bytes.subarray(last + 1, held)
  }
}

/** Waits until there is room for a block more; false: nobody wants one. */
function isFree() {
  for (;;) {
    const used = Atomics.load(control, at.used)
    if (used === told.noMore) return false
    if (made - used < slots.length) return true
    Atomics.wait(control, at.used, used)
  }
}

function hand(count) {
  slots[made % slots.length].count[0] = count
  Atomics.store(control, at.made, ++made)
  Atomics.notify(control, at.made)
}

/** What broke this thread, in the place of the block that it would have made. */
function tell(fault) {
  const { bytes, isText } = slots[made % slots.length]
  isText[0] = Buffer.from(bytes.buffer).write(fault)
  hand(told.broken)
}

/** How many lines end in the block up to there. */
function takeLines({ ends, sums }, bytes, last) {
  const { buffer } = bytes
  let count = 0
  for (let start = 0; start <= last; count++) {
    if (count === ends.length) return told.left
    const end = bytes.indexOf(newline, start)
    const summed = end - start - sealBytes
    ends[count] = end
    // A plain view: a slice costs as much as the sum.
    sums[count] = summed > 0 ? crc32(new Uint8Array(buffer, start, summed)) : 0
    addData(bytes, start, dataEnd(bytes, start, end))
    start = end + 1
  }
  return count
}

/** Where the last `wall` of a line begins; searched for as by Horspool, backwards. */
function dataEnd(bytes, start, end) {
  for (let at = end - wallKey.length; at >= start; at -= steps[bytes[at]])
    if (bytes[at] === wallKey[0] && isWall(bytes, at)) return at
  return end
}

function isWall(bytes, at) {
  for (let index = 1; index < wallKey.length; index++) if (bytes[at + index] !== wallKey[index]) return false
  return true
}

/** To hash many lines at once costs half of what each by itself does. */
function addData(bytes, start, end) {
  const length = end - start
  if (batched + length >= batch.length) flush()
  if (length >= batch.length) hash.update(bytes.subarray(start, end))
  else batched += bytes.copy(batch, batched, start, end)
  batch[batched++] = newline
}

function flush() {
  hash.update(batch.subarray(0, batched))
  batched = 0
}

try {
  readAll()
} catch (error) {
  // What the system refuses it refuses to whoever reads on, too, who tells it. Anything else is a fault of this program.
  if (error.syscall) hand(told.left)
  else tell(String(error))
}
