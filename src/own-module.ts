/**
 * What comes of loading a module of the user's own. Rejects, too, where the module awaits what never comes: when nothing is left
 * in the process that could end its wait.
 */
export async function loadOwn<T>(loading: Promise<T>): Promise<T> {
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
    return await Promise.race([loading, stuck])
  } finally {
    process.off('beforeExit', onIdle)
  }
}
