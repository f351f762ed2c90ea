import { rarelyWrong } from '../heavy/statistics/calibrate-scenario.ts'

rarelyWrong(200)
