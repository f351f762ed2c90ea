import { describe, expect, it } from 'vitest'
import { renderTemplate, TemplateError, templateNeeds } from '../../../src/workflows/document/template.ts'
import { growthOf, nearLinear } from '../../helpers/house/growth.ts'
import { tableOf } from '../../helpers/house/tables.ts'

/** Returns what is wrong with a template, as `line:column what`. */
function mistake(text: string, variables: Readonly<Record<string, unknown>> = {}): string {
  try {
    return `no mistake: ${renderTemplate(text, variables).slice(0, 100)}`
  } catch (error) {
    expect(error).toBeInstanceOf(TemplateError)
    const { line, column, message } = error as TemplateError
    return `${line}:${column} ${message}`
  }
}

const drafts = [
  { agent: 'ada', text: 'A.' },
  { agent: 'ben', text: 'B.' },
]

describe('a template', () => {
  it('shows what exists, in loops, conditions and filters', () => {
    const text =
      '{% for one in drafts %}{{ one.agent | upcase }}: {{ one.text }}{% unless forloop.last %}, {% endunless %}{% endfor %}'
    expect(renderTemplate(text, { drafts })).toBe('ADA: A., BEN: B.')
    expect(renderTemplate('{{ drafts.size }} {{ drafts | map: "agent" | join: "+" }}', { drafts })).toBe(
      '2 ada+ben',
    )
    expect(renderTemplate('{% if drafts.size > 1 %}several{% endif %}', { drafts })).toBe('several')
  })

  it('takes an empty text as false', () => {
    const text = '{% if guidance %}Mind: {{ guidance }}{% else %}Nothing.{% endif %}'
    expect(renderTemplate(text, { guidance: '' })).toBe('Nothing.')
    expect(renderTemplate(text, { guidance: 'Be brief.' })).toBe('Mind: Be brief.')
  })

  it('never renders a value again, and shows it as it is', () => {
    const text = 'a {{ gone }} {% include "x" %} <b> & "q" {% raw %}'
    expect(renderTemplate('{{ text }}|{{ text | strip }}', { text })).toBe(`${text}|${text}`)
    expect(renderTemplate('{% assign copy = text %}{{ copy }}', { text })).toBe(text)
  })

  it('has nothing from the rendering before', () => {
    expect(renderTemplate('{% assign kept = 1 %}{{ kept }}', {})).toBe('1')
    expect(mistake('{{ kept }}')).toBe('1:4 there is no kept here')
  })

  it.each(tableOf<[string, string][]>(import.meta.url, 'refusedLine'))(
    '%j is refused with line and column',
    (text, said) => {
      expect(mistake(text, { drafts })).toBe(said)
    },
  )

  it('says which variables it takes from outside, where each stands first', () => {
    const text =
      '{% for one in drafts %}{{ one.text }}{{ forloop.index }}{% endfor %}\n{% assign a = task %}{{ a }} {{ x[y] }} {{ task }}'
    expect(templateNeeds(text)).toEqual([
      { name: 'drafts', line: 1, column: 15 },
      { name: 'task', line: 2, column: 15 },
      { name: 'x', line: 2, column: 33 },
      { name: 'y', line: 2, column: 35 },
    ])
    expect(templateNeeds('{% raw %}{{ a }}{% endraw %}{% comment %}{{ b }}{% endcomment %}')).toEqual([])
  })
})

describe('a template that attacks', () => {
  it.each([
    '{{ constructor }}',
    '{{ __proto__ }}',
    '{{ toString }}',
    '{{ one.constructor }}',
    '{{ one["constructor"]["constructor"] }}',
    '{{ one.__proto__.polluted }}',
    '{{ list.constructor }}',
    '{{ text.constructor }}',
    '{{ text.__defineGetter__ }}',
    '{{ list | where: "constructor.name", "Object" }}',
  ])('%s reaches no prototype', (text) => {
    expect(mistake(text, { one: {}, list: [{}], text: 'a' })).toContain('there is no ')
  })

  it('pollutes no prototype', () => {
    const all =
      '{% assign __proto__ = 1 %}{% assign constructor = 2 %}{% capture toString %}3{% endcapture %}'
    renderTemplate(`${all}{% for __proto__ in list %}{% endfor %}`, { list: [{ polluted: true }] })
    expect(
      renderTemplate('{{ list | sort: "__proto__.x" | map: "constructor" | json }}', { list: [{}] }),
    ).toBe('[null]')
    expect({}).not.toHaveProperty('polluted')
    expect(`${{}}`).toBe('[object Object]')
  })

  it.each([
    '{% include "/etc/passwd" %}',
    '{% render "../../package.json" %}',
    '{% layout "/etc/passwd" %}',
    '{% block a %}{% endblock %}',
    '{% liquid include "/etc/passwd" %}',
    '{% tablerow i in (1..9) %}{% endtablerow %}',
    '{% increment a %}',
    '{% decrement a %}',
    '{% cycle "a", "b" %}',
  ])('%s reads no file and keeps no state', (text) => {
    expect(mistake(text)).toMatch(/^1:1 there is no tag "/)
  })

  it.each(tableOf<string[]>(import.meta.url, 'filterNot'))(
    'the filter %s is not there: clock, chance, code, or a history of attacks',
    (filter) => {
      expect(mistake(`{{ "now" | ${filter} }}`)).toMatch(/^1:1 there is no filter "/)
    },
  )

  const range = '{% assign r = (1..1000) %}'
  const nested = (inside: string) =>
    `${range}{% for a in r %}{% for b in r %}{% for c in r %}${inside}{% endfor %}{% endfor %}{% endfor %}`
  it.each([
    ['a huge range', '{% for i in (1..100000000) %}a{% endfor %}', 'makes more than'],
    ['a huge range without a loop', '{{ (1..100000000) | size }}', 'makes more than'],
    ['a long loop', '{% for i in (1..1000000) %}a{% endfor %}', 'takes too many steps'],
    ['a long loop without a body', '{% for i in (1..1000000) %}{% endfor %}', 'takes too many steps'],
    ['nested loops', nested('a'), 'takes too many steps'],
    ['nested loops without a body', nested(''), 'takes too many steps'],
    [
      'a text that doubles',
      `{% assign a = "${'x'.repeat(16)}" %}${'{% assign a = a | append: a %}'.repeat(60)}`,
      'makes more than',
    ],
    [
      'a capture that doubles',
      `{% capture a %}xx{% endcapture %}${'{% capture a %}{{ a }}{{ a }}{% endcapture %}'.repeat(60)}`,
      'makes more than',
    ],
    [
      'a list that doubles',
      `{% assign a = "1,2" | split: "," %}${'{% assign a = a | concat: a %}'.repeat(60)}`,
      'makes more than',
    ],
    [
      'a replacement that grows',
      `{% assign a = "aaaaaaaaaaaaaaaa" %}${'{% assign a = a | replace: "a", a %}'.repeat(20)}`,
      'makes more than',
    ],
    [
      'a long text in a loop',
      `{% for i in (1..1000) %}${'x'.repeat(100_000)}{% endfor %}`,
      'makes more than',
    ],
    ['too long a template', 'x'.repeat(300_000), 'has more than'],
    ['deep brackets', `{{ ${'a['.repeat(40_000)}${']'.repeat(40_000)} }}`, 'nests too deep'],
    ['deep conditions', `${'{% if 1 %}'.repeat(10_000)}${'{% endif %}'.repeat(10_000)}`, 'nests too deep'],
    ['open tags', '{% if '.repeat(40_000), 'is no valid template'],
    ['open outputs', '{{'.repeat(100_000), 'is no valid template'],
  ])('%s ends soon', (_, text, said) => {
    expect(mistake(text)).toContain(said)
  })

  it.each([
    'strip_newlines',
    'number_of_words',
    'truncatewords: 3',
    'strip',
    'split: " " | size',
    'capitalize | size',
  ])('the filter %s takes no time that grows faster than its text', (filter) => {
    const growth = growthOf(300_000, (size) => {
      const text = `${' '.repeat(size)}x${'\r'.repeat(size)}${'<'.repeat(size)}`
      renderTemplate(`{{ text | ${filter} | size }}`, { text })
    })
    expect(growth).toBeLessThan(nearLinear)
  })
})
