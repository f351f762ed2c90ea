import type { z } from 'zod'
import type { ChainState } from '../../../src/schema/stage/chain-state.ts'
import type { StageScene } from '../../../src/testing/play-stage.ts'
import { play } from '../../../src/testing.ts'
import { gitTreeHash } from '../../../src/workflows/chain/run-stage.ts'
import { chained } from '../../../strategies/chained.ts'
import { begun, good } from './chain-states.ts'

export const files = { 'sum.mjs': 'old\n' }
export const work = { files: { 'sum.mjs': 'new\n' } }
const treeOf = (texts: Record<string, string>) =>
  gitTreeHash({ list: () => Object.keys(texts), read: (path) => texts[path] })
export const shipped = (tree = treeOf({ 'sum.mjs': 'new\n' })): Partial<ChainState> => ({
  ship: { branch: 'bench/w-1', base: 'b', commit: 'c', tree, files: ['sum.mjs'], patch: 'the patch' },
})
const noted = { documentation: 'It adds.' }
export const lastStages = [good('document', noted), good('ship', { ...noted, ...shipped() })]

export type Options = z.input<typeof chained.options>

/** Plays a chain that begins with a known state. */
export const playChain = (stages: StageScene[], options: object = {}, scene: object = {}) =>
  play(chained, { state: JSON.stringify(begun), ...options } as Options, [], {
    ...{ output: 'files' as const, files, stages },
    ...scene,
  })
export const idsOf = ({ stages }: { stages: readonly { id: string }[] }) =>
  stages.map(({ id }) => id).join(' ')
