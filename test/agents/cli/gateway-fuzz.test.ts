import { fuzzGateway } from '../../helpers/fuzz/fuzz-gateway.ts'

fuzzGateway(200, 22)
