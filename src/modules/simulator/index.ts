export { type SimulatedMessage, Simulator } from './application/simulator.service.js';
export { isSimulated, isSimulatedSuppression, SIMULATED_ORIGINATION_NUMBER } from './domain/simulation.js';
