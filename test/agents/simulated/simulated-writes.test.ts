import { describe, expect, it } from 'vitest'
import type { ToolCall } from '../../../src/schema/tool/tool-call.ts'
import { askWithTools, epochs, using } from '../../helpers/agents/ask-with-tools.ts'
import { code, simulated } from '../../helpers/agents/simulated-agent.ts'

describe('a simulated agent that may write', () => {
  const wrote = (calls: ToolCall[]) =>
    calls.filter(({ name }) => name === 'write').map((call) => JSON.parse(call.arguments))

  it('writes its submission by the tool, and answers without repeating it', async () => {
    const agent = simulated({
      ...using({ turns: 1000 }),
      skills: { produce: 40, judge: 0, summarise: 0, decide: 0 },
    })
    const files: Record<string, string> = { ...code.files }
    const say = ({ name, arguments: args }: ToolCall) => {
      if (name === 'write') files[JSON.parse(args).path] = JSON.parse(args).content
      return undefined
    }
    const { calls, reply } = await askWithTools(agent, { files, say }, code)
    const solution = code.hidden.solution?.files?.['src/sum.mjs']
    expect(wrote(calls)).toEqual([{ path: 'src/sum.mjs', content: solution }])
    expect(reply.text).not.toContain('FILE:')
  })

  it('hands in the right work in its answer where a check helped it after it had written wrong work', async () => {
    const agent = simulated({
      ...using({ turns: 1000, gain: { check: 80 } }),
      skills: { produce: -40, judge: 0, summarise: 0, decide: 0 },
    })
    const { calls, reply } = await askWithTools(agent, {}, code)
    const solution = code.hidden.solution?.files?.['src/sum.mjs'] as string
    expect(wrote(calls)).toHaveLength(1)
    expect(wrote(calls)[0].content).not.toBe(solution)
    expect(reply.text).toContain(solution)
  })

  it('leaves wrong work as it wrote it, and writes nothing for another kind of work or for an answer', async () => {
    const agent = simulated({
      ...using({ turns: 1000 }),
      skills: { produce: -40, judge: 0, summarise: 0, decide: 0 },
    })
    expect((await askWithTools(agent, {}, code)).reply.text).not.toContain('FILE:')
    expect(wrote((await askWithTools(agent, { role: 'auditor', work: 'judge' }, code)).calls)).toEqual([])
    expect(wrote((await askWithTools(agent)).calls)).toEqual([])
  })

  it('decides alike in all turns, so what was right when it was written is right in the end', async () => {
    const agent = simulated(using({ turns: 1000 }))
    const solution = code.hidden.solution?.files?.['src/sum.mjs']
    const outcomes = await epochs(60, async (epoch) => {
      const { calls, reply } = await askWithTools(agent, { trial: { epoch } }, code)
      return [
        wrote(calls)[0]?.content === solution,
        reply.text.includes('FILE:') && !reply.text.includes('never'),
      ]
    })
    expect(outcomes.filter(([right]) => right).length).toBeGreaterThan(10)
    expect(outcomes.filter(([right]) => !right).length).toBeGreaterThan(10)
    // Files of this test stay as they were, so an agent whose work is right shows it again; one whose work is wrong does not.
    for (const [right, shown] of outcomes) expect(shown).toBe(right)
  })
})
