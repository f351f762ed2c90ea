import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { simulatedDecision } from '../../../src/agents/simulated/decision.ts'
import { submissionsOf } from '../../../src/agents/simulated/submissions.ts'
import { isDecision } from '../../../src/agents/simulated/verdict.ts'
import { seededRandom } from '../../../src/base/random.ts'
import { OrchestratorDecision } from '../../../src/schema/machine/decision.ts'
import { answer } from '../../helpers/agents/simulated-agent.ts'

const submissions = submissionsOf(answer, {
  wrong: [{ label: 'other', passesVisible: false, submission: { answer: '41' } }],
})
const prompt = (checkpoint: string, texts: Readonly<Record<string, string>>) =>
  `### Why you are asked
${checkpoint}: state draft was entered 3 times. The workflow has left check and would go to draft.

### Outputs
${Object.keys(texts)
  .map((path) => `- ${path} by ada in draft, visit 2: 2 words`)
  .join('\n')}

### Your options
- retry_different: run the state \`retry_from\` (draft, check) again with your \`guidance\`${Object.entries(
    texts,
  )
    .map(([path, text]) => `\n\n## ${path}\n${text}`)
    .join('')}`

const decisions = (checkpoint: string, texts: Readonly<Record<string, string>>, skill: number) =>
  Array.from({ length: 200 }, (_, i) =>
    OrchestratorDecision.parse(
      simulatedDecision(prompt(checkpoint, texts), submissions, skill, seededRandom(`${i}`)),
    ),
  )
const kinds = (all: readonly OrchestratorDecision[]) =>
  [...new Set(all.map(({ decision }) => decision))].sort()

describe('a simulated orchestrator', () => {
  const both = { 'drafts/ada.md': 'Answer: 41', 'drafts/ben.md': 'Answer: 42', 'audits/ada.md': 'Good.' }

  it('that is skilled takes the right output when a rule breaks', () => {
    for (const decided of decisions('loop_warning', both, 40))
      expect(decided).toMatchObject({ decision: 'force_complete', use_output: 'drafts/ben.md' })
  })

  it('that is skilled takes a wrong one, goes on or sends back where none is right', () => {
    const all = decisions('loop_warning', { 'drafts/ada.md': 'Answer: 41' }, 40)
    expect(kinds(all)).toEqual(['force_complete', 'proceed', 'retry_different'])
    for (const decided of all)
      if (decided.decision === 'retry_different') expect(decided).toMatchObject({ retry_from: 'draft' })
  })

  it('that is skilled goes on at the end of a workflow', () => {
    expect(kinds(decisions('workflow_complete', both, 40))).toEqual(['proceed'])
  })

  it('without skill decides everything by chance, and names only what exists', () => {
    const all = decisions('loop_warning', both, -40)
    expect(kinds(all)).toEqual(['dump_context', 'force_complete', 'halt', 'proceed', 'retry_different'])
    for (const decided of all)
      if (decided.decision === 'force_complete') expect(Object.keys(both)).toContain(decided.use_output)
  })

  it('is known by the shape of its decision alone', () => {
    const schema = (shape: z.ZodType) => z.toJSONSchema(shape, { io: 'input' }) as Record<string, unknown>
    expect(isDecision(schema(OrchestratorDecision))).toBe(true)
    expect(isDecision(schema(z.object({ decision: z.literal('proceed') })))).toBe(false)
    expect(isDecision(schema(z.union([z.string(), z.object({ decision: z.literal('go') })])))).toBe(false)
  })
})
