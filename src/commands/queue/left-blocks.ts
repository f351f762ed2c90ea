import { begunBlocks, blockFolder, joinedBlocks } from '../../loop/join/blocks.ts'
import { isStillDamaged, withBlock } from '../../loop/join/damaged-block.ts'
import { leftState, readSessions } from '../../loop/record/sessions.ts'
import { counted } from '../../reports/words/numbers.ts'
import { shellWord } from '../../text/shell-word.ts'
import { damageText } from './play-lease.ts'
import type { WorkerRun } from './worker-run.ts'

/**
 * Returns whether blocks are left, and what is damaged in those that are not left for that. Blocks that others have may come back; those that a pause
 * holds do not, nor do damaged ones that nobody has mended.
 */
export async function lookAtRest(
  runs: readonly WorkerRun[],
): Promise<{ isLeft: boolean; damaged: string[] }> {
  let isLeft = false
  const texts: string[] = []
  for (const run of runs)
    for (const { queue } of run.queues) {
      const { waiting, taken, damaged } = await queue.left()
      const held = damaged.filter(({ block, damage }) =>
        isStillDamaged(blockFolder(run.folder, block), damage),
      )
      texts.push(...held.map(({ block, damage }) => damageText(run, block, damage)))
      isLeft ||= taken.length > 0 || (waiting > held.length && !(await queue.isPaused()))
    }
  return { isLeft, damaged: texts }
}

/** Returns a line for each reason why blocks of a run are not whole, though nobody may take them now. */
export async function restLines({ folder, queues }: WorkerRun, url: string): Promise<string[]> {
  const [joined, begun] = [joinedBlocks(folder), new Set(begunBlocks(folder))]
  const resume = `bench run --resume ${shellWord(folder)} --queue ${shellWord(url)}`
  const counts = new Map<string, number>()
  for (const { queue, blocks } of queues) {
    const isHeld = await queue.isPaused()
    for (const block of blocks) {
      const own = blockFolder(folder, block)
      // Its damage was told when the block was left.
      const last = begun.has(block)
        ? withBlock(
            own,
            () => {},
            () => readSessions(own).at(-1),
          )
        : undefined
      if (joined.has(block) || last?.end?.reason === 'whole') continue
      const state = isHeld ? 'paused' : leftState(last)
      counts.set(state, (counts.get(state) ?? 0) + 1)
    }
  }
  return ['paused', 'stopped by a limit', 'waiting for a person'].flatMap((state) => {
    const count = counts.get(state)
    const answer = state === 'waiting for a person' ? 'bench approve, then ' : ''
    return count ? [`${counted(count, 'block')} of ${folder} ${state}; to go on: ${answer}${resume}`] : []
  })
}
