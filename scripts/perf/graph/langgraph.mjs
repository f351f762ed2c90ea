// Runs a graph in LangGraph.js, so many times. Each step does what a step of ours does without a harness: it makes a prompt of
// the replies that it depends on and awaits an agent that answers immediately.
// Arguments: the folder of its modules, the shape, how many steps, how many times, and `memory` for a checkpointer.
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { promptOf, replyOf, stepsOf } from './shapes.mjs'

const [modules, shape, steps, times, checkpoints] = process.argv.slice(2)
const { Annotation, END, MemorySaver, START, StateGraph } = createRequire(join(modules, 'x'))(
  '@langchain/langgraph',
)

const agent = async (prompt) => replyOf(/Do (s\d+)\./.exec(prompt)[1])

function graphOf(list) {
  // The cheapest state for it: one object that grows.
  const said = Annotation({ reducer: (all, one) => Object.assign(all, one), default: () => ({}) })
  const graph = new StateGraph(Annotation.Root({ said }))
  const needed = new Set(list.flatMap(({ after }) => after))
  const work = (id, after) => async (state) => {
    const given = after.map((need) => state.said[need])
    return { said: { [id]: await agent(promptOf(id, given)) } }
  }
  for (const { id, after } of list) graph.addNode(id, work(id, after))
  for (const { id, after } of list) {
    if (after.length > 1) graph.addEdge(after, id)
    else graph.addEdge(after[0] ?? START, id)
    if (!needed.has(id)) graph.addEdge(id, END)
  }
  return graph.compile(checkpoints === 'memory' ? { checkpointer: new MemorySaver() } : {})
}

for (let time = 0; time < Number(times); time++) {
  const list = stepsOf(shape, Number(steps))
  const options = { recursionLimit: list.length + 1, configurable: { thread_id: String(time) } }
  const { said } = await graphOf(list).invoke({}, options)
  const right = list.filter(({ id }) => said[id] === replyOf(id))
  if (right.length !== list.length)
    throw new Error(`${right.length} of ${list.length} steps gave their reply`)
}
