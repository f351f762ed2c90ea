import { setFlagsFromString } from 'node:v8'

/**
 * Works with V8's heap set up for trials. They leave nothing behind that lives on: a young generation that grows only
 * costs memory, and threads that look for survivors together only cost each other time. Only for as long as the work
 * lasts, since code that is kept between calls, Node's own and ours, serves only under the flags that it was made with.
 */
export async function withHeapForTrials<Result>(work: () => Promise<Result>): Promise<Result> {
  setFlagsFromString('--semi-space-growth-factor=1')
  setFlagsFromString('--no-parallel-scavenge')
  try {
    return await work()
  } finally {
    setFlagsFromString('--semi-space-growth-factor=2')
    setFlagsFromString('--parallel-scavenge')
  }
}
