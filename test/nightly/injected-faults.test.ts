import { surviveInjectedFaults } from '../faults/injected-faults-scenario.ts'

surviveInjectedFaults(2000)
