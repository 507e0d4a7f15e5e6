import { describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { useService } from '../support/service.js';

const PUBLIC = ['POST /api/v1/auth/register', 'POST /api/v1/auth/login'];

interface Route {
  path: string;
  stack: { method: string }[];
}

describe('every route', () => {
  const service = useService();

  /** What the HTTP server really has, and not what is documented. */
  function routes(): string[] {
    const express = service.app.getHttpAdapter().getInstance() as {
      router: { stack: { route?: Route }[] };
    };
    return express.router.stack
      .map(({ route }) => route)
      .filter((route) => route !== undefined)
      .flatMap(({ path, stack }) =>
        stack.map(({ method }) => `${method.toUpperCase()} ${path.replace(/\/$/, '')}`),
      )
      .filter((route) => route.includes('/api/v1/'));
  }

  it('demands a token unless it is on the short public list', async () => {
    const open: string[] = [];
    for (const route of routes()) {
      const [method = '', path = ''] = route.split(' ');
      const url = path.replaceAll(/:\w+/g, '00000000-0000-4000-8000-000000000000');
      const verb = method.toLowerCase() as 'get' | 'post' | 'put' | 'delete';
      const response = await request(service.server)[verb](url);
      if (response.status !== 401) open.push(route);
    }
    expect(routes().length).toBeGreaterThan(20);
    expect(open.sort()).toEqual([...PUBLIC].sort());
  });
});
