import { expect, it } from 'vitest'
// @ts-expect-error a script without types
import { exampleFolder } from '../../../scripts/install-clis.mjs'
import { holding, runExample } from '../../helpers/stages/applications.ts'

it('a graph of LangGraph.js is compared by ten lines of config, to the token and the dollar', async () => {
  const server = await runExample('langgraph', exampleFolder('langgraph'))
  expect(holding(server, '# Plan').map(({ stream }) => stream)).toEqual([true, true])
})
