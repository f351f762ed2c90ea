import { describe, expect, it } from 'vitest'
import { otherDocument } from '../../../src/workflows/graph/choose-plan.ts'
import { documentOf, problemsOf } from '../../helpers/graph/documents.ts'

const problems = (text: string) => problemsOf(text, {}, 'g.yaml')

describe('a document with something that would be lost without a word', () => {
  it.each(['!include p.txt', '!env KEY', '!!js/function "x"', '!ref { a: b }'])('is refused: %s', (value) => {
    const text = documentOf('- { id: a, task: make }').replace('prompt: Do the task.', `prompt: ${value}`)
    const [tag] = value.split(' ')
    expect(problems(text)).toEqual([
      expect.stringMatching(
        /^\[g\.yaml:\d+:\d+] has the tag .*, which is not supported\. Write a plain value/,
      ),
    ])
    expect(problems(text)[0]).toContain(tag)
  })

  it('may have the tags of JSON data', () => {
    const text = documentOf('- { id: a, task: !!str make, retries: !!int 1 }')
    expect(problems(text.replace('prompt: Do the task.', 'prompt: ! 12'))).toEqual([])
  })
})

describe('JSON with comments', () => {
  const json = (agent: string) => `{
  // who does it
  "version": "0.5", /* the format */
  "agents": { "a": {} },
  "tasks": { "t": { "agent_ref": "${agent}", "prompt": "See http://example.org // or not" } },
  "run": { "workflow": { "steps": [{ "id": "s", "task": "t" }] } }, // the end
}
`
  const comments =
    '[g.yaml:2:3] has comments as in JavaScript, which neither JSON nor YAML allows. Begin each with #, or remove them.'

  it('is refused with its other mistakes, each in its place', () => {
    expect(problems(json('a'))).toEqual([comments])
    expect(problems(json('b'))).toEqual([
      comments,
      '[g.yaml:5:21 tasks.t.agent_ref] there is no agent "b". Did you mean a?',
    ])
    expect(problems(`// first\n${json('a')}`)[0]).toMatch(/^\[g\.yaml:1:1] has comments/)
  })

  it('is read after the remedy', () => {
    expect(
      problems(
        json('a').replace('// who', '# who').replace('/* the format */', '').replace('// the', '# the'),
      ),
    ).toEqual([])
  })

  it('is not what a URL or slashes in a text are', () => {
    expect(
      problems(
        json('a').replace('// who does it', '').replace('/* the format */', '').replace('// the end', ''),
      ),
    ).toEqual([])
    expect(
      problems(
        '{ version: "0.5", agents: { a: {} }, tasks: { t: { agent_ref: a, prompt: this // that } }, run: { workflow: { steps: [{ id: s, task: t }] } } }',
      ),
    ).toEqual([])
  })
})

describe('a file is told from Markdown', () => {
  it.each([
    ['a comment', '# nothing yet\n'],
    ['a comment, and fields but no version and no run', '# My graph\nagents: { a: {} }\ntasks: {}\n'],
    ['the line for editors', '# yaml-language-server: $schema=./graph.schema.json\nagents:\n  a: {}\n'],
  ])('if it holds %s', (_, text) => {
    expect(otherDocument(text, 'g.yaml')).toBeUndefined()
  })

  it('if it holds a heading and text', () => {
    expect(otherDocument('# Notes\n\nSome text.\n', 'g.yaml')?.what).toContain('looks like Markdown')
  })
})
