"""Tests of a back end in Python against the sandbox."""

import os
import unittest

import httpx

from expense_api import AuthenticatedClient, Client
from expense_api.api.authentication_and_users import log_in
from expense_api.api.cycles import list_cycles, update_cycle
from expense_api.models import CycleStatus, LoginDto, UpdateCycleDto

SANDBOX = os.environ.get("SANDBOX_URL", "http://localhost:3000")
ACCOUNT = LoginDto(username="ana@example.com", password="sandbox-password")


class CyclesTest(unittest.TestCase):
    def setUp(self):
        httpx.post(f"{SANDBOX}/sandbox/reset").raise_for_status()
        with Client(base_url=SANDBOX) as anonymous:
            token = log_in.sync(client=anonymous, body=ACCOUNT).access_token
        self.client = self.enterContext(AuthenticatedClient(base_url=SANDBOX, token=token))

    def active_cycle(self):
        return list_cycles.sync(client=self.client, status=CycleStatus.ACTIVE).cycles[0]

    def test_renames_a_cycle(self):
        cycle = self.active_cycle()
        change = UpdateCycleDto(name="Before the holidays")
        update_cycle.sync(cycle.id, client=self.client, body=change)
        self.assertEqual(self.active_cycle().name, "Before the holidays")

    def test_begins_with_the_sample_household(self):
        self.assertNotEqual(self.active_cycle().name, "Before the holidays")


if __name__ == "__main__":
    unittest.main()
