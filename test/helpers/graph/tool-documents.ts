/** Tools of a document, one of each kind and more. */
export const tools = `
  files: { kind: workspace, config: { allow: [read, list, write] } }
  look: { kind: workspace, config: { allow: [read, check] } }
  notes: { kind: memory }
  terms: { kind: memory, config: { file: terms.md } }
  words: { kind: mcp, config: { command: [node, words.mjs], allow: [find, count] } }
`

export interface Parts {
  tools?: string
  maker?: string
  critic?: string
  make?: string
  steps?: string
  run?: string
}

/** Returns a document with tools, in which a maker and a critic have those that are given. */
export const documentWith = (parts: Parts = {}) => `version: "0.5"
tools:${parts.tools ?? tools}
agents:
  maker: { tools: [${parts.maker ?? ''}] }
  critic: { work: judge, tools: [${parts.critic ?? ''}] }
tasks:
  make: { agent_ref: maker, prompt: Do the task.${parts.make === undefined ? '' : `, tools: [${parts.make}]`} }
  judge: { agent_ref: critic, prompt: Judge the work. }
workflows:
  main:
    steps:
      ${parts.steps ?? '- { id: a, task: make }\n      - { id: b, task: judge }'}
run: { workflow_ref: main${parts.run ?? ''} }
`
