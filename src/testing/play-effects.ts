import { joinShared, type Sharing } from '../loop/branch/shared.ts'
import { forkFiles, type PlayedFiles } from './play-files.ts'

/** A branch that is played: its files, its clock, and what it shares. */
export interface PlayedBranch {
  path: string
  files: PlayedFiles
  sharing: Sharing
  clock: { now: number }
}

/** The result of a branch. `join` hands its outputs on, which `first` does for the winner alone. */
interface EndedBranch<T> {
  value: T
  join(): void
}

/** Runs the effects of a branch one at a time, and its branches side by side. */
export interface PlayedEffects {
  effect<T>(name: string, work: () => T): Promise<T>
  openBranch<T>(
    name: string,
    work: (branch: PlayedBranch) => Promise<T>,
    isRacing?: boolean,
  ): Promise<EndedBranch<T>>
  /** Throws while an effect or a branch is pending. */
  requireIdle(name: string): void
}

/** Returns the effects of a branch. */
export function playEffects({ path, files, sharing, clock }: PlayedBranch): PlayedEffects {
  let pending = ''
  const open = new Set<Promise<unknown>>()
  const ended: (() => void)[] = []
  const requireIdle = (name: string) => {
    if (pending || open.size > 0)
      throw new Error(`${name} while ${pending || 'a branch'} is pending: use branch()`)
  }
  return {
    requireIdle,
    async effect(name, work) {
      requireIdle(name)
      pending = name
      // A strategy that forgets an await must fail.
      await Promise.resolve()
      pending = ''
      return work()
    },
    async openBranch(name, work, isRacing = false) {
      if (pending) throw new Error(`branch ${name} while ${pending} is pending`)
      const { shared: start } = sharing.state
      const own = path === '' ? name : `${path}/${name}`
      const branch: PlayedBranch = {
        ...{ path: own, files: forkFiles(files), clock: { now: clock.now } },
        sharing: { path: own, state: { shared: start } },
      }
      let conflict: Error | undefined
      const join = () => {
        conflict = joinShared(sharing, branch.sharing, start)
      }
      if (!isRacing) ended.push(join)
      const promise = work(branch)
      open.add(promise)
      let seen: number
      do {
        seen = open.size
        await Promise.allSettled(open)
      } while (open.size > seen)
      open.delete(promise)
      clock.now = Math.max(clock.now, branch.clock.now)
      // In the order of opening, whichever is heard first.
      for (const one of ended.splice(0)) one()
      const value = await promise
      if (conflict) throw conflict
      return { value, join }
    },
  }
}
