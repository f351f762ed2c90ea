import { fuzzGateway } from '../helpers/fuzz/fuzz-gateway.ts'

fuzzGateway(10_000, Date.now() % 2 ** 31)
