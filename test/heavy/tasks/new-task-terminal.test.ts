import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { needs } from '../../helpers/house/needs.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { inTerminal } from '../../helpers/machine/terminal.ts'
import { bench } from '../../helpers/runs/cli.ts'

describe('bench tasks new at a terminal', () => {
  needs('script').it(
    'asks for a question, again after a wrong answer, and takes nothing for no options',
    async () => {
      const cwd = tempFolder()
      const { shown, exitCode } = await inTerminal(
        ['tasks', 'new', 'question'],
        [
          [/train-times: /, 'two words\r'],
          [/This must consist[\s\S]*train-times: /, 'sum\r'],
          [/in one line: /, '\r'],
          [/This is needed[\s\S]*in one line: /, 'What is 40 + 44?\r'],
          [/no choice: /, '\r'],
          [/right answer: /, '1,5\r'],
          [/is not a single number[\s\S]*right answer: /, '84\r'],
        ],
        { cwd },
      )
      expect(exitCode, shown).toBe(0)
      expect(readFileSync(join(cwd, 'my-tasks/sum/instruction.md'), 'utf8')).toBe('What is 40 + 44?\n')
      expect(readFileSync(join(cwd, 'my-tasks/sum/task.yaml'), 'utf8')).toContain('kind: numeric')
      const again = await bench(['tasks', 'new', 'question', '--id', 'sum'], { cwd })
      expect(again.stderr).toContain('[--id sum] is the name of a folder that is there already: my-tasks/sum')
    },
  )

  needs('script').it('asks for a function, and an answer that is none of the options again', async () => {
    const cwd = tempFolder()
    const code = await inTerminal(
      ['tasks', 'new', 'code', '--id', 'count'],
      [
        [/python: /, 'ruby\r'],
        [/is not one of[\s\S]*python: /, 'javascript\r'],
        [/weekNumber: /, '9lives\r'],
        [/is not a name[\s\S]*weekNumber: /, 'countWords\r'],
      ],
      { cwd },
    )
    expect(code.exitCode, code.shown).toBe(0)
    const choice = await inTerminal(
      ['tasks', 'new', 'question', '--id', 'colour', '--question', 'Which?'],
      [
        [/no choice: /, 'red|blue\r'],
        [/right answer: /, 'black\r'],
        [/is not one of the options: red, blue[\s\S]*right answer: /, 'B\r'],
      ],
      { cwd },
    )
    expect(choice.exitCode, choice.shown).toBe(0)
    expect(readdirSync(join(cwd, 'my-tasks')).sort()).toEqual(['colour', 'count'])
  })

  for (const [name, key] of [
    ['Ctrl-C', '\x03'],
    ['Ctrl-D', '\x04'],
  ] as const)
    needs('script').it(`leaves nothing after ${name}`, async () => {
      const cwd = tempFolder()
      const { shown, exitCode } = await inTerminal(
        ['tasks', 'new', 'code', '--id', 'a'],
        [[/python: /, key]],
        { cwd },
      )
      expect(exitCode, shown).toBe(130)
      expect(shown).toContain('stopped: nothing was written')
      expect(shown).not.toMatch(/^\s+at |Internal error|Warning|\\x1b/m)
      expect(readdirSync(cwd)).toEqual([])
    })
})
