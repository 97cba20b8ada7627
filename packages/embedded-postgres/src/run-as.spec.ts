import { describe, expect, it } from '@jest/globals';

import { asAccount, asCurrentUser, commandFor, inUserNamespace } from './run-as.js';

describe('commandFor', () => {
  it('runs the program itself for an ordinary user', () => {
    expect(commandFor(asCurrentUser, '/a b/postgres', ['-D', 'x'])).toEqual({
      file: '/a b/postgres',
      args: ['-D', 'x'],
    });
  });

  it('passes the program to the one that changes the identity', () => {
    expect(commandFor(inUserNamespace({ uid: 7, gid: 8 }), 'postgres', ['-D', 'x'])).toEqual({
      file: 'unshare',
      args: ['--user', '--map-user=7', '--map-group=8', 'postgres', '-D', 'x'],
    });
  });

  it('lets Node change the identity', () => {
    expect(commandFor(asAccount({ uid: 7, gid: 8 }), 'postgres', [])).toEqual({
      file: 'postgres',
      args: [],
      uid: 7,
      gid: 8,
    });
  });
});
