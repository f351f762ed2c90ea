import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { readData } from '../../../src/replies/data/read-data.ts'

const Tasks = z.object({
  tasks: z.array(z.object({ worker: z.enum(['anna', 'bert']), do: z.string() })).min(1),
})
const task = { worker: 'anna', do: 'it' }
const right = JSON.stringify({ tasks: [task] })

describe('the data of a reply', () => {
  it.each([
    ['the whole reply', right],
    ['a fenced block', `Here:\n\`\`\`json\n${right}\n\`\`\`\nDone.`],
    ['within a sentence', `I say ${right}, and no more.`],
  ])('is found where it is %s', (_, text) => {
    expect(readData(text, Tasks)).toEqual({ data: { tasks: [task] } })
  })

  it.each([
    ['an unknown name', { tasks: [{ ...task, worker: 'carl' }] }, /^tasks\.0\.worker: .*anna.*bert/],
    ['an empty list', { tasks: [] }, /^tasks: .*at least|>=1/i],
    ['a missing field', { tasks: [{ worker: 'anna' }] }, /^tasks\.0\.do: /],
  ])(
    'with %s has that as its problem, in a fence or not, and not that a part of it is a list',
    (_, reply, problem) => {
      const text = JSON.stringify(reply)
      for (const one of [text, `\`\`\`json\n${text}\n\`\`\``, `So: ${text}.`])
        expect(readData(one, Tasks)).toEqual({ problem: expect.stringMatching(problem) })
    },
  )

  it.each([
    ['no JSON', 'I would rather not.', 'it is not valid JSON.'],
    ['nothing', ' ', 'it holds no JSON.'],
    ['broken JSON', '{"tasks": [', 'it is not valid JSON.'],
  ])('is missing in %s', (_, text, problem) => {
    expect(readData(text, Tasks)).toEqual({ problem })
  })
})
