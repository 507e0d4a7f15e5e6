import { describe, expect, it } from '@jest/globals';
import type { Response } from 'supertest';
import type { CommentResponse } from '../../../src/comments/dto/comment.dto.js';
import type { Client } from '../../support/client.js';
import { expectError, expectInvalid } from '../../support/errors.js';
import { useService } from '../../support/service.js';

const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000';
const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

interface Target {
  entity_type: string;
  entity_id: string;
}

describe('comments', () => {
  const service = useService();

  /** An admin and a member of one household. */
  async function family(): Promise<{ admin: Client; member: Client }> {
    const admin = await service.signUp({ first_name: 'Ana' });
    return { admin, member: await service.signUpMember(admin) };
  }

  async function methodOf(user: Client): Promise<Target> {
    return { entity_type: 'payment_method', entity_id: (await user.createPaymentMethod()).id };
  }

  async function comment(user: Client, target: Target, body = 'Hello'): Promise<CommentResponse> {
    const response = await user.post('/comments', { ...target, body }).expect(201);
    return response.body as CommentResponse;
  }

  async function listed(user: Client, query: string): Promise<CommentResponse[]> {
    return (await user.get(`/comments?${query}`).expect(200)).body as CommentResponse[];
  }

  const commentsOn = (user: Client, target: Target): Promise<CommentResponse[]> =>
    listed(user, `entity_type=${target.entity_type}&entity_id=${target.entity_id}`);

  async function eventsOf(user: Client, target: Target): Promise<string[]> {
    const records = await user.activityOf(target.entity_type, target.entity_id);
    return records.map(({ action }) => action);
  }

  describe('POST /comments', () => {
    it('POST /comments returns the complete comment, with its author', async () => {
      const { admin } = await family();
      const target = await methodOf(admin);
      const created = await comment(admin, target, 'Ask **first**');
      expect(created).toEqual({
        id: expect.any(String),
        household_id: expect.any(String),
        ...target,
        cycle_id: null,
        author_user_id: created.author?.id,
        body: 'Ask **first**',
        edited_at: null,
        active: true,
        created_at: expect.stringMatching(ISO),
        updated_at: created.created_at,
        author: { id: expect.any(String), email: admin.email, first_name: 'Ana', last_name: null },
      });
      expect(await commentsOn(admin, target)).toEqual([created]);
    });

    it.each([
      '  two leading spaces\r\n\r\n<b>raw</b> 😀 ',
      '\tx',
      'x'.repeat(10_000),
      '😀'.repeat(10_000),
    ])('POST /comments keeps the body byte for byte (%#)', async (body) => {
      const { admin } = await family();
      const target = await methodOf(admin);
      await comment(admin, target, body);
      expect((await commentsOn(admin, target))[0]?.body).toBe(body);
    });

    it.each([
      [{ body: '' }, 'body'],
      [{ body: ' \n\t ' }, 'body'],
      [{ body: 'x'.repeat(10_001) }, 'body'],
      [{ body: 'a\0b' }, 'body'],
      [{ body: null }, 'body'],
      [{ body: 1 }, 'body'],
      [{ entity_type: 'comment' }, 'entity_type'],
      [{ entity_type: 'user' }, 'entity_type'],
      [{ entity_type: null }, 'entity_type'],
      [{ entity_id: 'x' }, 'entity_id'],
      [{ author_user_id: UNKNOWN_ID }, 'author_user_id'],
    ])('POST /comments refuses %p', async (wrong, field) => {
      const { admin } = await family();
      const target = await methodOf(admin);
      expectInvalid(await admin.post('/comments', { ...target, body: 'x', ...wrong }), field);
      expect(await commentsOn(admin, target)).toEqual([]);
    });

    it('POST /comments accepts every entity type, and returns the cycle of expenses and incomes', async () => {
      const { admin } = await family();
      const template = await admin.createTemplate();
      const cycle = await admin.createCycle();
      const { expenses } = await admin.expenses(cycle.id);
      const targets: [Target, string | null][] = [
        [await methodOf(admin), null],
        [{ entity_type: 'recurrent_expense', entity_id: template.id }, null],
        [{ entity_type: 'cycle', entity_id: cycle.id }, cycle.id],
        [{ entity_type: 'cycle_expense', entity_id: expenses[0]?.id ?? '' }, cycle.id],
      ];
      for (const [target, cycleId] of targets) {
        expect((await comment(admin, target)).cycle_id).toBe(cycleId);
      }
    });

    it('POST /comments accepts entities of the household, and none of other households', async () => {
      const { admin, member } = await family();
      const target = await methodOf(admin);
      expect((await comment(member, target)).author?.email).toBe(member.email);
      const stranger = await service.signUp();
      const response = await stranger.post('/comments', { ...target, body: 'x' });
      expectError(response, 404, 'RESOURCE_NOT_FOUND', { resource: 'payment_method' });
    });

    it.each([
      'payment_method',
      'recurrent_expense',
      'recurrent_income',
      'cycle',
      'cycle_expense',
      'cycle_income',
    ])('POST /comments does not find an unknown %s', async (entity_type) => {
      const user = await service.signUp();
      const body = { entity_type, entity_id: UNKNOWN_ID, body: 'x' };
      const response = await user.post('/comments', body);
      expectError(response, 404, 'RESOURCE_NOT_FOUND', { resource: entity_type });
    });

    it('POST /comments works on inactive payment methods and templates and on a completed cycle', async () => {
      const { admin } = await family();
      const template = await admin.createTemplate();
      const cycle = await admin.createCycle();
      await admin.delete(`/payment-methods/${template.payment_method.id}`).expect(204);
      await admin.delete(`/expense-templates/${template.id}`).expect(204);
      await admin.put(`/cycles/${cycle.id}`, { status: 'completed' }).expect(200);
      await comment(admin, {
        entity_type: 'payment_method',
        entity_id: template.payment_method.id,
      });
      await comment(admin, { entity_type: 'recurrent_expense', entity_id: template.id });
      await comment(admin, { entity_type: 'cycle', entity_id: cycle.id });
    });

    it('POST /comments does not find deleted entities', async () => {
      const { admin } = await family();
      const cycle = await admin.createCycle();
      const expense = await admin.createExpense(cycle.id);
      await admin.delete(`/cycles/${cycle.id}`).expect(204);
      for (const [entity_type, entity_id] of [
        ['cycle', cycle.id],
        ['cycle_expense', expense.id],
      ]) {
        const response = await admin.post('/comments', { entity_type, entity_id, body: 'x' });
        expectError(response, 404, 'RESOURCE_NOT_FOUND', { resource: entity_type });
      }
    });
  });

  describe('GET /comments', () => {
    it('GET /comments lists the comments of a cycle and its entries, newest first', async () => {
      const { admin, member } = await family();
      const cycle = await admin.createCycle();
      const expense = await admin.createExpense(cycle.id);
      const first = await comment(admin, { entity_type: 'cycle', entity_id: cycle.id });
      const second = await comment(member, { entity_type: 'cycle_expense', entity_id: expense.id });
      await comment(admin, await methodOf(admin));
      const ids = async (query: string): Promise<string[]> =>
        (await listed(member, query)).map(({ id }) => id);
      expect(await ids(`cycle_id=${cycle.id}`)).toEqual([second.id, first.id]);
      const both = `cycle_id=${cycle.id}&entity_type=cycle&entity_id=${cycle.id}`;
      expect(await ids(both)).toEqual([first.id]);
    });

    it('GET /comments is empty without a scope, for an incomplete scope, for comments on comments and for other households', async () => {
      const { admin } = await family();
      const target = await methodOf(admin);
      const { id } = await comment(admin, target);
      expect(await listed(admin, '')).toEqual([]);
      expect(await listed(admin, 'entity_type=payment_method')).toEqual([]);
      expect(await listed(admin, `entity_id=${target.entity_id}`)).toEqual([]);
      expect(await listed(admin, `entity_type=comment&entity_id=${id}`)).toEqual([]);
      expect(await commentsOn(await service.signUp(), target)).toEqual([]);
    });

    it('GET /comments returns each comment once on the pages of the Link header', async () => {
      const { admin } = await family();
      const target = await methodOf(admin);
      const all: string[] = [];
      for (let n = 0; n < 5; n += 1) all.unshift((await comment(admin, target)).id);
      const seen: string[] = [];
      let path: string | undefined =
        `/comments?entity_type=payment_method&entity_id=${target.entity_id}&limit=2`;
      while (path !== undefined) {
        const response: Response = await admin.get(path).expect(200);
        seen.push(...(response.body as CommentResponse[]).map(({ id }) => id));
        path = /^<\/api\/v1([^>]+)>; rel="next"$/.exec(response.get('Link') ?? '')?.[1];
      }
      expect(seen).toEqual(all);
    });

    it('GET /comments returns 50 by default and at most 200', async () => {
      const { admin } = await family();
      const target = await methodOf(admin);
      const { id } = await comment(admin, target);
      await service.query(
        `INSERT INTO comments (household_id, entity_type, entity_id, author_user_id, body)
         SELECT household_id, entity_type, entity_id, author_user_id, n::text
         FROM comments, generate_series(2, 201) n WHERE id = $1`,
        [id],
      );
      const scope = `entity_type=payment_method&entity_id=${target.entity_id}`;
      const all = await listed(admin, `${scope}&limit=200`);
      expect(all.map(({ body }) => body)).toEqual(
        Array.from({ length: 200 }, (_, index) => String(201 - index)),
      );
      expect(await listed(admin, scope)).toEqual(all.slice(0, 50));
    });

    it.each(['limit=0', 'limit=201', 'limit=x', 'limit=1.5'])(
      'GET /comments refuses %s',
      async (query) => {
        const user = await service.signUp();
        expectInvalid(await user.get(`/comments?${query}`), 'limit');
      },
    );

    it('GET /comments leaves out the comments of a deleted cycle and expense; their activity stays', async () => {
      const { admin } = await family();
      const cycle = await admin.createCycle();
      const expense = await admin.createExpense(cycle.id);
      const target = { entity_type: 'cycle_expense', entity_id: expense.id };
      const onExpense = await comment(admin, target);
      await comment(admin, { entity_type: 'cycle', entity_id: cycle.id });
      await admin.delete(`/cycles/${cycle.id}/expenses/${expense.id}`).expect(204);
      expect(await commentsOn(admin, target)).toEqual([]);
      expect(await listed(admin, `cycle_id=${cycle.id}`)).toHaveLength(1);
      await admin.delete(`/cycles/${cycle.id}`).expect(204);
      expect(await listed(admin, `cycle_id=${cycle.id}`)).toEqual([]);
      expect(await eventsOf(admin, target)).toEqual(['created', 'commented', 'deactivated']);
      const gone = await admin.send('patch', `/comments/${onExpense.id}`).send({ body: 'y' });
      expectError(gone, 404, 'RESOURCE_NOT_FOUND', { resource: 'comment' });
    });
  });

  describe('PATCH /comments/{id}', () => {
    it('PATCH /comments/{id} lets the author edit, and returns the time', async () => {
      const { admin } = await family();
      const target = await methodOf(admin);
      const created = await comment(admin, target);
      const response = await admin.send('patch', `/comments/${created.id}`).send({ body: ' New ' });
      const edited = response.body as CommentResponse;
      expect(edited).toEqual({
        ...created,
        body: ' New ',
        edited_at: expect.stringMatching(ISO),
        updated_at: expect.stringMatching(ISO),
      });
      expect(edited.updated_at > created.updated_at).toBe(true);
      expect(await commentsOn(admin, target)).toEqual([edited]);
    });

    it('changes and records nothing for the same body', async () => {
      const { admin } = await family();
      const target = await methodOf(admin);
      const created = await comment(admin, target, 'Same');
      const response = await admin.send('patch', `/comments/${created.id}`).send({ body: 'Same' });
      expect(response.body).toEqual(created);
      expect(await eventsOf(admin, target)).toEqual(['created', 'commented']);
    });

    it('PATCH /comments/{id} is refused to everyone but the author, admins included', async () => {
      const { admin, member } = await family();
      const created = await comment(member, await methodOf(admin));
      const path = `/comments/${created.id}`;
      expectError(await admin.send('patch', path).send({ body: 'x' }), 403, 'FORBIDDEN');
      const stranger = await service.signUp();
      const notFound = await stranger.send('patch', path).send({ body: 'x' });
      expectError(notFound, 404, 'RESOURCE_NOT_FOUND', { resource: 'comment' });
    });

    it.each([{}, { body: ' ' }, { body: null }, { body: 'x', entity_id: UNKNOWN_ID }])(
      'PATCH /comments/{id} refuses %p',
      async (body) => {
        const { admin } = await family();
        const { id } = await comment(admin, await methodOf(admin));
        const response = await admin.send('patch', `/comments/${id}`).send(body);
        expectInvalid(response, 'entity_id' in body ? 'entity_id' : 'body');
      },
    );
  });

  describe('DELETE /comments/{id}', () => {
    it('DELETE /comments/{id} lets the author delete once, and keeps the row as inactive', async () => {
      const { admin, member } = await family();
      const target = await methodOf(admin);
      const { id } = await comment(member, target);
      await member.delete(`/comments/${id}`).expect(204);
      expect(await commentsOn(admin, target)).toEqual([]);
      const sql = 'SELECT active, body FROM comments WHERE id = $1';
      expect(await service.query(sql, [id])).toEqual([{ active: false, body: 'Hello' }]);
      const again = await member.delete(`/comments/${id}`);
      expectError(again, 404, 'RESOURCE_NOT_FOUND', { resource: 'comment' });
      expect(await eventsOf(admin, target)).toEqual(['created', 'commented', 'comment_deleted']);
    });

    it('DELETE /comments/{id} lets an admin delete any comment of the household, and no other member', async () => {
      const { admin, member } = await family();
      const target = await methodOf(admin);
      const own = await comment(admin, target);
      const other = await comment(member, target);
      expectError(await member.delete(`/comments/${own.id}`), 403, 'FORBIDDEN');
      const stranger = await service.signUp();
      expectError(await stranger.delete(`/comments/${other.id}`), 404, 'RESOURCE_NOT_FOUND');
      await admin.delete(`/comments/${other.id}`).expect(204);
      expect(await commentsOn(member, target)).toEqual([own]);
    });

    it('DELETE /comments/{id} succeeds for one of two concurrent requests', async () => {
      const { admin } = await family();
      const target = await methodOf(admin);
      const { id } = await comment(admin, target);
      const responses = await Promise.all([1, 2, 3].map(() => admin.delete(`/comments/${id}`)));
      expect(responses.map(({ status }) => status).sort()).toEqual([204, 404, 404]);
      expect(await eventsOf(admin, target)).toEqual(['created', 'commented', 'comment_deleted']);
    });
  });

  it('comments are recorded in the activity of the commented entity', async () => {
    const { admin, member } = await family();
    const cycle = await admin.createCycle();
    const target = { entity_type: 'cycle', entity_id: cycle.id };
    const { id } = await comment(member, target);
    await member.send('patch', `/comments/${id}`).send({ body: 'Edited' }).expect(200);
    await admin.delete(`/comments/${id}`).expect(204);
    const records = (await admin.activityOf('cycle', cycle.id)).slice(1);
    expect(
      records.map(({ action, actor, changes, cycle_id }) => ({
        action,
        actor: actor?.email,
        changes,
        cycle_id,
      })),
    ).toEqual(
      [
        ['commented', member.email],
        ['comment_edited', member.email],
        ['comment_deleted', admin.email],
      ].map(([action, actor]) => ({
        action,
        actor,
        changes: { comment_id: { from: null, to: id } },
        cycle_id: cycle.id,
      })),
    );
  });
});
