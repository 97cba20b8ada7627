import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import { CommandLine } from '../../support/command-line.js';

describe('opt-in-delivery', () => {
  let fixture: CommandLine;

  beforeAll(async () => {
    fixture = await CommandLine.start();
  });
  afterAll(() => fixture.stop());
  beforeEach(() => fixture.openAccount());

  describe('import', () => {
    const person = (email: string, fields: object = {}) => ({
      ...{ email, firstName: null, lastName: null, tags: [], status: 'active' },
      ...fields,
    });
    const unsubscribed = (email: string) => person(email, { status: 'unsubscribed' });
    const ADA = { firstName: 'Ada', lastName: 'Lovelace' };

    it.each([
      [
        'plain',
        '\uFEFFEmail,First Name,Last Name,Company,Tags,Status\na@x.example,Ada,Lovelace,,one;two,active\nb@x.example,,,,,bounced\n',
        [person('a@x.example', { ...ADA, tags: ['one', 'two'] }), unsubscribed('b@x.example')],
      ],
      [
        'sendgrid',
        'EMAIL,FIRST_NAME,LAST_NAME,CONTACT_ID,CREATED_AT\na@x.example,Ada,Lovelace,1,2026-01-01\n',
        [person('a@x.example', ADA)],
      ],
      [
        'sendgrid',
        'status,reason,email,created\n5.1.1,"550 unknown, ""user""",b@x.example,1700000000\n',
        [unsubscribed('b@x.example')],
      ],
      [
        'mailgun',
        'address,code,error,created_at\nb@x.example,550,No such mailbox,"Tue, 07 Jan 2025 19:25:45 UTC"\nc@x.example,452,full,x\n',
        [unsubscribed('b@x.example')],
      ],
      ['mailgun', 'address,tags,created_at\nb@x.example,*,x\n', [unsubscribed('b@x.example')]],
      [
        'postmark',
        'EmailAddress,SuppressionReason,Origin,CreatedAt\nb@x.example,HardBounce,Recipient,2019-12-17T08:58:33-05:00\n',
        [unsubscribed('b@x.example')],
      ],
      [
        'usesend',
        'Email,First Name,Last Name,Subscribed\na@x.example,Ada,Lovelace,Yes\nb@x.example,,,No\n',
        [person('a@x.example', ADA), unsubscribed('b@x.example')],
      ],
      [
        'plunk',
        'email,subscribed,firstName,lastName,plan\na@x.example,true,Ada,Lovelace,pro\nb@x.example,false,,,\n',
        [person('a@x.example', ADA), unsubscribed('b@x.example')],
      ],
      [
        'listmonk',
        'uuid,email,name,attributes,status,created_at,updated_at\n1,a@x.example,Ada Lovelace,"{""a"":1}",enabled,x,x\n2,b@x.example,,{},blocklisted,x,x\n3,c@x.example,,{},disabled,x,x\n',
        [person('a@x.example', ADA), unsubscribed('b@x.example')],
      ],
    ])('reads what %s exports', async (preset, content, expected) => {
      const { code, stderr } = await fixture.run([
        'import',
        await fixture.file('export.csv', content),
        '--preset',
        preset,
      ]);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(await fixture.contacts()).toEqual(expected);
    });

    it('reports rows with a fault by their line, and imports the others', async () => {
      const { body: list } = await fixture.account.asAdmin('post', '/api/lists').send({ name: 'Readers' }).expect(201);
      const rows =
        'email,firstName\na@x.example,Ada\n\nnobody,\n,Nameless\n"b@x.example","Two\nlines"\nc@x.example,Cleo\n';
      const args = ['import', '-', '--list', list.id, '--tag', 'moved', '--json'];
      const { code, stdout, stderr } = await fixture.run(args, { stdin: rows });
      expect(code).toBe(1);
      expect(stderr.split('\n').sort()).toEqual([
        '',
        'line 4: email must be an email address',
        'line 5: There is no address',
        expect.stringContaining('line 7: firstName'),
      ]);
      expect(JSON.parse(stdout)).toEqual({
        ...{ rows: 5, active: 4, unsubscribed: 0, skipped: 0, created: 2, updated: 0, unchanged: 0, errors: 3 },
      });
      const { items } = (await fixture.read(`/api/contacts?listId=${list.id}`)) as { items: { tags: string[] }[] };
      expect(items.map(({ tags }) => tags)).toEqual([['moved'], ['moved']]);
    });

    it.each([
      ['plunk', 'id,email,name,subscribed\n1,a@x.example,Lovelace, Ada,false\n', 'line 2: has 5 cells, the header 4'],
      ['plunk', 'id,email,name,subscribed\n1,a@x.example\n', 'line 2: has 2 cells, the header 4'],
      ['plunk', 'email,subscribed\na@x.example,\n', 'line 2: "" is not a status'],
      ['usesend', 'email,subscribed\na@x.example,never\n', 'line 2: "never" is not a status'],
      ['listmonk', 'email,name,status\na@x.example,Ada,Ada\n', 'line 2: "Ada" is not a status'],
      ['plain', 'email,status\na@x.example,\n', 'line 2: "" is not a status'],
      ['plain', 'email,status\na@x.example,\u001b]0;x\u0007\u202e\n', 'line 2: " ]0;x  " is not a status'],
    ])('makes nobody active whose row of %s is in doubt: %j', async (preset, rows, message) => {
      const { code, stderr } = await fixture.run(['import', '-', '--preset', preset], { stdin: rows });
      expect({ code, stderr }).toEqual({ code: 1, stderr: `${message}\n` });
      expect(await fixture.contacts()).toEqual([]);
    });

    it('reads what this service exports', async () => {
      const contact = { email: '+a@x.example', firstName: '=Ada', lastName: '-Lovelace' };
      await fixture.service.request('post', '/api/contacts').set('X-API-Key', fixture.secret).send(contact).expect(201);
      const { text } = await fixture.service
        .request('get', '/api/contacts/export.csv')
        .set('X-API-Key', fixture.secret)
        .expect(200);
      expect(text).toContain("'=Ada");
      const { code, stdout } = await fixture.run(['import', '-', '--json'], { stdin: text });
      expect(code).toBe(0);
      expect(JSON.parse(stdout)).toMatchObject({ rows: 1, unchanged: 1 });
    });

    it('shows what it would do', async () => {
      const rows = 'email,subscribed\na@x.example,true\nb@x.example,false\n';
      const { code, stdout } = await fixture.run(['import', '-', '--preset', 'plunk', '--dry-run'], { stdin: rows });
      expect({ code, stdout }).toEqual({
        code: 0,
        stdout: '2 rows: 1 contacts, 1 unsubscribed, 0 skipped, 0 refused\nNothing was imported (--dry-run)\n',
      });
      expect(await fixture.contacts()).toEqual([]);
    });

    it('imports a file of many batches', async () => {
      const rows = Array.from({ length: 1_201 }, (_, i) => `r${i}@x.example`).join('\n');
      const { code, stdout } = await fixture.run(['import', '-', '--json'], { stdin: `email\n${rows}\n` });
      expect(code).toBe(0);
      expect(JSON.parse(stdout)).toMatchObject({ rows: 1_201, created: 1_201 });
      expect(await fixture.read('/api/contacts?limit=1')).toMatchObject({ total: 1_201 });
    });

    it.each([
      ['sendgrid', 'EMAIL,CITY\na@x.example,London\n', 'There is no column email and firstname or'],
      ['postmark', 'email2\nx\n', 'There is no column emailaddress or email'],
      ['plain', 'email\n"a@x.example\n', 'Quote Not Closed'],
    ])('refuses a file that is not of %s: %j', async (preset, stdin, message) => {
      const { code, stderr } = await fixture.run(['import', '-', '--preset', preset], { stdin });
      expect(code).toBe(2);
      expect(stderr).toContain(message);
    });
  });
});
