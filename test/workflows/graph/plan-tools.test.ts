import { expect, it } from 'vitest'
import type { GraphPlan, PlanStep } from '../../../src/schema/graph/plan.ts'
import { agentThatCalls } from '../../helpers/agents/agent-that-calls.ts'
import { planOf } from '../../helpers/graph/documents.ts'
import { planTools } from '../../helpers/graph/plan-tools.ts'
import { documentWith } from '../../helpers/graph/tool-documents.ts'
import { planStep, planOf as planWith, runsPlan, workOf } from '../../helpers/runs/graph-plans.ts'
import { agentOf, playTrial } from '../../helpers/runs/trial.ts'
import { plainRecord } from '../../helpers/tools/random-calls.ts'

const agent = agentOf(({ trial, prompt }) =>
  prompt.includes('List the steps') ? '{"steps":["one","two"]}' : `said ${trial.key}`,
)

it('a run whose plan holds no tools although its steps name some, as of earlier versions, replays and resumes', async () => {
  const steps = (tools: string[]): PlanStep[] => {
    const added = { prefix: 'p', max: 3, order: 'concurrent', executor: workOf({ tools }) } as const
    return [
      planStep('a', [], { tools }),
      planStep('p', ['a'], {
        ...{ agent: 'planner', role: 'planner', work: 'decide', tools },
        does: { ...added, kind: 'plan', before: [] },
      }),
    ]
  }
  // Earlier versions gave no tools to any ask.
  const { folder, record, steps: asked } = await playTrial({ agent, strategy: runsPlan(planWith(steps([]))) })
  expect(record.outcome.status).toBe('completed')
  const strategy = runsPlan(planWith(steps(['files'])))
  const replayed = await playTrial({ agent, strategy, folder, replay: true })
  expect(replayed.divergences).toEqual([])
  expect(plainRecord(replayed.record)).toEqual(plainRecord(record))
  const resumed = await playTrial({ agent, strategy, folder })
  expect(resumed.divergences).toEqual([])
  expect(resumed.steps).toEqual(asked)
})

it('a plan that holds tools gives each step those that it names', async () => {
  const plan: GraphPlan = planOf(
    documentWith({ maker: 'files' }).replaceAll('maker', 'solver').replaceAll('critic', 'judge'),
  )
  const caller = agentThatCalls([])
  await playTrial({ agent: caller, strategy: runsPlan(plan), tools: planTools(plan) })
  expect(caller.requests.map(({ tools }) => tools?.definitions.map(({ name }) => name))).toEqual([
    ['read', 'list', 'write'],
    undefined,
  ])
})
