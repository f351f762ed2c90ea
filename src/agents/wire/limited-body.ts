/** How much of the body of a refusal is read; bytes. Its words come first, and it may be endless. */
const longestRefusal = 256 * 1024

/** Returns the beginning of a body. Behind it the rest is not read, and its connection is closed. */
export function limitedBody(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  let room = longestRefusal
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await reader.read()
      if (value) {
        controller.enqueue(value.subarray(0, room))
        room -= value.length
      }
      if (done || room <= 0) controller.close()
      if (!done && room <= 0) await reader.cancel().catch(() => {})
    },
    cancel: (reason) => reader.cancel(reason),
  })
}
