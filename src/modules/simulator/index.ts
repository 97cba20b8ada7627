export { type SimulatedMessage, Simulator } from './application/simulator.service.js';
export { isSimulated, isSimulatedSuppression, SIMULATED_ORIGINATION_NUMBER, SIMULATOR } from './domain/simulation.js';
