import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fillPrompt, readPromptTemplate } from '../../src/text/prompt-template.ts'

const fill = (text: string, values = { instruction: 'I', files: 'F' }) =>
  fillPrompt(readPromptTemplate(text, 'p.md'), values)

describe('a template of a prompt', () => {
  it.each([
    ['Do it.\n{{instruction}}', 'Do it.\nI'],
    ['{{ files }}, {{\tinstruction }}, {{instruction}}', 'F, I, I'],
    ['{{instruction}} \\{{files}} \\{{name}}', 'I {{files}} {{name}}'],
    [
      "{{instruction}} {{ color: 'red' }} {a} {{}} {% x %} $& $1 \\n",
      "I {{ color: 'red' }} {a} {{}} {% x %} $& $1 \\n",
    ],
  ])('%j becomes %j', (text, filled) => expect(fill(text)).toBe(filled))

  it('is the same with another line end or a byte order mark', () => {
    const unix = readPromptTemplate('a\n{{instruction}}\n', 'p.md')
    for (const text of ['\uFEFFa\n{{instruction}}\n', 'a\r\n{{instruction}}\r\n', 'a\r{{instruction}}\r'])
      expect(readPromptTemplate(text, 'p.md')).toEqual(unix)
  })

  it('prints values as they are, whatever they hold', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (instruction, files) => {
        const filled = fill('<{{files}}|{{instruction}}>', { instruction, files })
        expect(filled).toBe(`<${files}|${instruction}>`)
      }),
    )
    const inner = { instruction: '{{files}} $&', files: '\\{{instruction}}' }
    expect(fill('{{instruction}}{{files}}', inner)).toBe('{{files}} $&\\{{instruction}}')
  })

  it('names each unknown placeholder with its line and what there is', () => {
    const read = () => readPromptTemplate('{{instruction}}\n{{file}} {{größe}}', 'p.md')
    expect(read).toThrow(
      '[p.md:2] there is no placeholder {{file}}. Did you mean files? Known: {{instruction}}, {{files}}.',
    )
    expect(read).toThrow('there is no placeholder {{größe}}. Known:')
  })

  it.each(['', 'Just do it. {{files}}', '\\{{instruction}}'])(
    '%j is refused: it has no instruction',
    (text) => expect(() => readPromptTemplate(text, 'p.md')).toThrow('[p.md] has no {{instruction}}'),
  )

  it('reads a hostile template in time in proportion to its length, and refuses one that is too long', () => {
    const start = performance.now()
    for (const part of ['{{', '{{ ', '{{a', '{{a ', '\\{{'])
      expect(() => readPromptTemplate(part.repeat(300_000), 'p.md')).toThrow(
        'has more than 200000 characters',
      )
    expect(performance.now() - start).toBeLessThan(5_000)
  })
})
