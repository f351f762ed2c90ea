import { holdWatch, nameBlocks, tellAtWork } from './block-state.ts'

let loading: string | undefined
nameBlocks(() => loading)

/**
 * What comes of loading a module of the user's own, which is watched from then on: it may block the main thread. Rejects, too,
 * where the module awaits what never comes: when nothing is left in the process that could end its wait.
 */
export async function loadOwn<T>(file: string, load: () => Promise<T>): Promise<T> {
  // Most commands load none.
  const { watchForBlocks } = await import('./block-watch.ts')
  const letGo = holdWatch()
  await watchForBlocks()
  loading = `${file}, while it is loaded`
  tellAtWork(loading)
  let onIdle = () => {}
  const stuck = new Promise<never>((_, reject) => {
    onIdle = () => {
      reject(new Error('it awaits, while it is loaded, something that never comes'))
      // What tells it may have to be loaded itself, and Node asks only once whether anything is left to do.
      setImmediate(() => {})
    }
  })
  process.once('beforeExit', onIdle)
  try {
    return await Promise.race([load(), stuck])
  } finally {
    loading = undefined
    tellAtWork('')
    letGo()
    process.off('beforeExit', onIdle)
  }
}
