// The laws of src/mpi on 1, 2, 3, 4 and 7 ranks. Each program prints the law that was broken.
#include "../launch.h"
#include "extent.h"

static void expect_pass_with(const char *program, const char *argument)
{
  static const int ranks[] = {3, 1, 2, 4, 7};
  for (size_t k = 0; k < (SHORT ? 1 : sizeof ranks / sizeof *ranks); k++) {
    struct launched l = launch_ranks(ranks[k], "'%s/%s' %s", PROGRAMS, program, argument);
    cr_expect(l.code == 0, "%s on %d ranks: exit code %d after %.1f s\n%s", program, ranks[k],
              l.code, l.seconds, l.err);
    launched_destroy(&l);
  }
}

static void expect_pass(const char *program)
{
  expect_pass_with(program, "");
}

Test(ranks, every_agent_has_one_owner)
{
  expect_pass("rank_ownership");
}

Test(ranks, ghosts_are_exactly_those_in_reach)
{
  expect_pass("rank_halo");
}

Test(ranks, agents_that_jump_are_conserved)
{
  expect_pass("rank_migration");
}

Test(ranks, messages_of_any_size_arrive)
{
  expect_pass("rank_exchange");
}

Test(ranks, records_from_unknown_senders_arrive)
{
  expect_pass("rank_sparse_exchange");
}

Test(ranks, groups_of_ranks_cut_as_all_of_them_do)
{
  expect_pass("rank_partition");
}

Test(ranks, boxes_follow_a_crowd_that_drifts)
{
  expect_pass("rank_load_balance");
}

Test(ranks, reductions_and_exit_codes_agree)
{
  expect_pass("rank_comm");
}

static void expect_pass_alone(const char *environment)
{
  struct launched l = launch("env %s '%s/rank_comm'", environment, PROGRAMS);
  cr_expect(l.code == 0, "%s: exit code %d\n%s", environment, l.code, l.err);
  launched_destroy(&l);
}

Test(ranks, one_without_mpirun_leaves_the_environment_as_it_was)
{
  expect_pass_alone("-u OMPI_MCA_pml -u OMPI_MCA_ess_singleton_isolated");
  expect_pass_alone("-u OMPI_MCA_pml OMPI_MCA_ess_singleton_isolated=true");
  expect_pass_alone("-u OMPI_MCA_ess_singleton_isolated OMPI_MCA_pml=^cm");
}

// Open MPI's folder of a session is shared by all that start alone: the first to end removes it.
Test(ranks, one_without_mpirun_needs_no_folder_of_a_session)
{
  expect_pass_alone("-u OMPI_MCA_orte_tmpdir_base TMPDIR=/dev/null/none");
}

Test(ranks, share_memory_within_a_node)
{
  expect_pass("rank_node_memory");
}

Test(ranks, end_together_with_one_message_if_one_fails)
{
  for (int rank = 0; rank < 4; rank += SHORT ? 3 : 1) {
    char message[80];
    struct launched l = launch_ranks(4, "'%s/rank_comm' %d", PROGRAMS, rank);
    snprintf(message, sizeof message, "throng: rank %d had enough", rank);
    cr_expect(l.code == 74, "exit code %d\n%s", l.code, l.err);
    cr_expect(launch_count(l.err, message) == 1, "%s", l.err);
    cr_expect(l.seconds < 30, "after %.1f s", l.seconds);
    launched_destroy(&l);
  }
}

static void expect_end(const char *how, int code, const char *message)
{
  static const int ranks[] = {1, 2, 4};
  for (size_t k = SHORT ? 2 : 0; k < sizeof ranks / sizeof *ranks; k++) {
    struct launched l = launch_ranks(ranks[k], "'%s/rank_audit' audit.yaml %s", PROGRAMS, how);
    cr_expect(l.code == code, "%s on %d ranks: exit code %d\n%s", how, ranks[k], l.code, l.err);
    cr_expect(!*message || launch_count(l.err, message) == 1, "%d ranks: %s", ranks[k], l.err);
    launched_destroy(&l);
  }
}

Test(ranks, an_invalid_state_ends_the_run)
{
  launch_folder();
  FILE *file = fopen("audit.yaml", "w");
  cr_assert(file);
  fputs("world: {extent: [0, 0, 40, 40]}\n"
        "sources: [{area: {rectangle: [1, 1, 30, 30]}, count: 40, goal: [39, 39]}]\n",
        file);
  fclose(file);
  expect_end("none", 0, "");
  expect_end("nan", 70, "throng: agent 5 has a velocity that is not finite at (");
  expect_end("escape", 70, "throng: agent 5 is outside the world at (");
}

Test(ranks, a_checkpoint_is_intact_or_refused)
{
  expect_pass("rank_checkpoint");
}

Test(ranks, a_step_sums_what_a_pass_over_all_agents_sums)
{
  expect_pass_with("rank_observed", "'" SCENARIOS "/events.yaml'");
}

Test(ranks, a_caller_who_holds_the_columns_of_one_rank_changes_no_sum_of_the_others)
{
  expect_pass_with("rank_observed", "'" SCENARIOS "/events.yaml' 20");
}

Test(ranks, records_reach_rank_0_in_order)
{
  expect_pass("rank_record_list");
}
