import { z } from 'zod'
import { defineStrategy } from '../src/strategy.ts'
import { UserError } from '../src/text/errors.ts'
import { fillPrompt, PromptTemplate, readPromptTemplate } from '../src/text/prompt-template.ts'
import { endWith } from '../src/workflows/end.ts'
import { filesContext, solve } from '../src/workflows/work-context.ts'

/** One agent, asked once, without feedback or checks: the floor that every other method must beat. */
export const baseline = defineStrategy({
  name: 'baseline',
  summary: 'One ask to one agent, without feedback; with more turns it goes over its own work.',
  roles: { solver: 'produce' },
  declaration: ({ turns, template }) => ({
    flow: turns === 1 ? 'solver' : { repeat: 'solver', times: 'turns' },
    stop: turns === 1 ? 'after one reply' : 'after its turns',
    context: 'the task, its files, and what it said itself',
    ...(turns === 1 && template === undefined && { asks: 'task' }),
  }),
  attempts: 'turns',
  options: z.strictObject({
    turns: z.int().positive().default(1).describe('number of asks, one after another, in one conversation'),
    prompt: z
      .string()
      .min(1)
      .optional()
      .describe('file with a prompt of your own: {{instruction}}, {{files}}'),
    template: PromptTemplate.optional().describe('what the file says; set by bench'),
  }),
  resolve(options, documents) {
    const { prompt, template } = options
    if (template)
      throw new UserError({
        where: 'option template',
        what: 'bench sets this option itself',
        fix: 'Leave it out.',
      })
    if (prompt === undefined) return options
    const text = documents.read(prompt)
    if (text === undefined)
      throw new UserError({
        where: `prompt ${prompt}`,
        what: 'there is no such file',
        fix: 'Paths are relative to the working folder.',
      })
    return { ...options, template: readPromptTemplate(text, prompt) }
  },

  async run(context) {
    const { ask, workspace, instruction, label } = context
    const { turns, template } = context.options
    if (turns === 1 && !template)
      return endWith(context, { answer: await solve(context, 'solver'), stopReason: 'done' })
    const session = turns === 1 ? {} : { session: 'solver' }
    let answer = ''
    for (let turn = 1; turn <= turns; turn++) {
      if (turns > 1) label({ turn })
      const files = filesContext(workspace)
      if (turn === 1 && template)
        answer = await ask('solver', fillPrompt(template, { instruction, files }), {
          ...session,
          instruction: 'inside',
        })
      else
        answer = await ask('solver', turn === 1 ? 'Solve the task.' : goOn, {
          ...session,
          show: { files, 'your last reply': answer },
        })
    }
    return endWith(context, { answer, stopReason: 'done' })
  },
})

const goOn =
  'Go over your work as if it were not yours: try it on the cases that the task names and on those at its edges, and put ' +
  'right what is wrong. Hand in the whole of it again, also where nothing was.'
