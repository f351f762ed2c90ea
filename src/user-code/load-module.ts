import { acquireWatchdog, addCodeNamer, setRunningCode } from './watchdog-state.ts'

let loading: string | undefined
addCodeNamer(() => loading)

/**
 * Runs `load` for a module of the user's and returns its result. Starts the watchdog first: the module may block the main
 * thread. Rejects if the module's top-level await can never end, because nothing is left to do in the process.
 */
export async function loadUserModule<T>(file: string, load: () => Promise<T>): Promise<T> {
  // Most commands load no such module.
  const { startWatchdog } = await import('./watchdog.ts')
  const release = acquireWatchdog()
  await startWatchdog()
  loading = `${file}, while loading`
  setRunningCode(loading)
  let onIdle = () => {}
  const stuck = new Promise<never>((_, reject) => {
    onIdle = () => {
      reject(new Error('its top-level await never ends'))
      // Keeps the process alive while the error is handled: Node emits beforeExit only once.
      setImmediate(() => {})
    }
  })
  process.once('beforeExit', onIdle)
  try {
    return await Promise.race([load(), stuck])
  } finally {
    loading = undefined
    setRunningCode('')
    release()
    process.off('beforeExit', onIdle)
  }
}
