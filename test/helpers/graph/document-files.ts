/** A document with two workflows, \`main\` and \`other\`. */
export const document = `version: "0.5"
agents:
  writer: { work: produce }
  critic: { work: judge }
tasks:
  draft: { agent_ref: writer, prompt: Write it. }
  check: { agent_ref: critic, prompt: Check it. }
workflows:
  main:
    steps: [{ id: one, task: draft }, { id: two, task: check }]
  other:
    kind: concurrent
    steps: [{ id: left, task: draft }, { id: right, task: check, needs: [left] }]
run: { workflow_ref: main }
`
