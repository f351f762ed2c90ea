import type { AgentRequest } from '../../../src/agents/agent.ts'
import type { Task } from '../../../src/schema/task.ts'
import { sampleTask } from '../runs/sample-task.ts'

/** A task that wants a text, and whose rubric has two criteria. */
export const rubricTask = (rubric: Record<string, unknown> = {}, rule: unknown = { mean: 0.5 }): Task =>
  sampleTask({
    spec: {
      output: 'answer',
      editable: [],
      rule,
      graders: [
        {
          kind: 'rubric',
          name: 'quality',
          criteria: [
            { name: 'correct', text: 'It names the capital of France.', weight: 3 },
            { name: 'polite', text: 'It is polite.' },
          ],
          ...rubric,
        },
      ],
    },
  })

/** Returns the mark that a judge's value must carry, as its prompt says. */
export const markIn = ({ prompt }: Pick<AgentRequest, 'prompt'>): string =>
  /must be "([^"]+)": a value without this mark/.exec(prompt)?.[1] ?? ''

/** Returns a judge's reply with the mark of its question: what it says of `correct` and of `polite`. */
export const verdict = (request: Pick<AgentRequest, 'prompt'>, correct: unknown, polite: unknown): string =>
  JSON.stringify({
    mark: markIn(request),
    correct: { reason: 'as I see it', verdict: correct },
    polite: { reason: 'as I hear it', verdict: polite },
  })
