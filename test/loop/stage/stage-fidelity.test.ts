import { describe, expect, it } from 'vitest'
import type { Declaration } from '../../../src/schema/method/declaration.ts'
import type { StageProgram } from '../../../src/stage.ts'
import { type AnyContext, agentOf, playTrial, strategyOf } from '../../helpers/runs/trial.ts'
import { stageOf } from '../../helpers/stages/stages.ts'

const agent = agentOf(() => '42')

/** A stage that asks roles in turn. */
const asking = (...roles: string[]): StageProgram =>
  stageOf(`for (const role of ${JSON.stringify(roles)}) await bench.request({ ask: { role, prompt: role } })`)

const fidelityOf = async (run: (context: AnyContext) => Promise<unknown>, flow: Declaration['flow']) => {
  const strategy = strategyOf(async (context) => {
    await run(context)
    return { stopReason: 'done', answer: '42' }
  })
  const declaration: Declaration = { flow, stop: 's', context: 'c' }
  return (await playTrial({ agent, strategy: { ...strategy, declaration } })).record.fidelity
}

describe('for a declaration the asks of a stage', () => {
  it('stand at the place of its call, between the asks before and after it', async () => {
    const run = async ({ ask, stage }: AnyContext) => {
      await ask('judge', 'first')
      await stage('plan', asking('planner', 'solver'))
      await stage('test', asking('judge'))
      await ask('summarizer', 'last')
    }
    const flow = ['judge', 'planner', 'solver', 'judge', 'summarizer']
    expect(await fidelityOf(run, flow)).toEqual({ status: 'kept' })
    expect(await fidelityOf(run, ['judge', 'solver', 'planner', 'judge', 'summarizer'])).toMatchObject({
      status: 'deviates',
    })
  })

  it('are those of a branch where stages run in branches', async () => {
    const run = async ({ branch, stage }: AnyContext) => {
      await Promise.all(
        ['a', 'b'].map((name) => branch(name, (inner) => inner.stage('work', asking('solver')))),
      )
      await stage('last', asking('judge'))
    }
    expect(await fidelityOf(run, [{ beside: 'solver', times: 2 }, 'judge'])).toEqual({ status: 'kept' })
  })
})
