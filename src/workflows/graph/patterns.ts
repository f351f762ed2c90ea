import type { PatternNode } from '../../schema/graph/node.ts'
import type { Compiler, PatternPlace } from './compiler.ts'
import { compileDebate } from './debate.ts'
import { compileForkJoin } from './fork-join.ts'
import { compileHierarchical } from './hierarchical.ts'
import { compileLinear } from './linear.ts'
import { compilePlannerExecutor } from './planner-executor.ts'
import { compileReferee } from './referee.ts'

/** Adds the steps of a pattern to a plan. Returns the last one. */
export function compilePattern(node: PatternNode, place: PatternPlace, compiler: Compiler): string {
  switch (node.pattern) {
    case 'linear':
      return compileLinear(node, place, compiler)
    case 'fork_join':
      return compileForkJoin(node, place, compiler)
    case 'debate':
      return compileDebate(node, place, compiler)
    case 'planner_executor':
      return compilePlannerExecutor(node, place, compiler)
    case 'referee':
      return compileReferee(node, place, compiler)
    case 'hierarchical':
      return compileHierarchical(node, place, compiler)
  }
}
