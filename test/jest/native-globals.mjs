/** What specs get for `@jest/globals`: the functions of the file that runs now, as every file has its own. */
let globals;

export function useGlobals(ofFile) {
  globals = ofFile;
}

const ofRunningFile = (name) =>
  new Proxy(() => undefined, {
    apply: (_, self, values) => globals[name](...values),
    get: (_, property) => globals[name][property],
  });

export const afterAll = ofRunningFile('afterAll');
export const afterEach = ofRunningFile('afterEach');
export const beforeAll = ofRunningFile('beforeAll');
export const beforeEach = ofRunningFile('beforeEach');
export const describe = ofRunningFile('describe');
export const expect = ofRunningFile('expect');
export const it = ofRunningFile('it');
export const jest = ofRunningFile('jest');
