import { forkFiles, type PlayedFiles } from './play-files.ts'

/** A branch that is played: its path, files, outputs and clock. */
export interface PlayedBranch {
  path: string
  files: PlayedFiles
  outputs: Map<string, string>
  clock: { now: number }
}

/** Runs the effects of a branch one at a time, and its branches side by side. */
export interface PlayedEffects {
  effect<T>(name: string, work: () => T): Promise<T>
  /** With `joins: false` the outputs of the new branch are dropped, unless the caller takes them. */
  openBranch<T>(
    name: string,
    work: (branch: PlayedBranch) => Promise<T>,
    options?: { joins: boolean },
  ): Promise<T>
  /** Throws while an effect or a branch is pending. */
  requireIdle(name: string): void
}

/** Returns the effects of a branch. */
export function playEffects({ path, files, outputs, clock }: PlayedBranch): PlayedEffects {
  let pending = ''
  const open = new Set<Promise<unknown>>()
  const members: Member[] = []
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
    async openBranch(name, work, { joins } = { joins: true }) {
      if (pending) throw new Error(`branch ${name} while ${pending} is pending`)
      const own: PlayedBranch = {
        path: path === '' ? name : `${path}/${name}`,
        files: forkFiles(files),
        outputs: new Map(outputs),
        clock: { now: clock.now },
      }
      const member: Member = { branch: own, before: new Map(outputs), joins, conflict: undefined }
      members.push(member)
      const promise = work(own)
      open.add(promise)
      let seen: number
      do {
        seen = open.size
        await Promise.allSettled(open)
      } while (open.size > seen)
      open.delete(promise)
      clock.now = Math.max(clock.now, own.clock.now)
      // The first to resume joins all, in the order of opening.
      if (members.includes(member)) joinOutputs(outputs, members.splice(0))
      if (member.conflict) throw member.conflict
      return promise
    },
  }
}

/** A branch that is open, and the outputs that it began with. */
interface Member {
  branch: PlayedBranch
  before: ReadonlyMap<string, string>
  joins: boolean
  conflict: Error | undefined
}

/** Takes what branches wrote that were open together. Where two wrote the same file, the later one gets a conflict. */
function joinOutputs(outputs: Map<string, string>, members: readonly Member[]): void {
  const writers = new Map<string, string>()
  for (const member of members.filter(({ joins }) => joins)) {
    const written = [...member.branch.outputs].filter(([path, text]) => member.before.get(path) !== text)
    for (const [path, text] of written) {
      const other = writers.get(path)
      if (other !== undefined)
        member.conflict = new Error(
          `the branches "${other}" and "${member.branch.path}" both wrote the output ${path}`,
        )
      else {
        writers.set(path, member.branch.path)
        outputs.set(path, text)
      }
    }
  }
}
